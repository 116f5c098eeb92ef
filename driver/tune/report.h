// What a search found, for people and programs.
#pragma once
#include "driver/tune/tune.h"

namespace atl::driver {

std::string in_words(double seconds);         // 1.43 ms
std::string in_words(const Valuation &sizes); // M = 64, N = 100

// Comments: what the schedule was measured with.
std::string header_of(const std::vector<Tuned> &all, const std::string &base);

nlohmann::ordered_json to_json(const Tuned &tuned);

// An SVG document: a panel for each of the sizes, with a dot for each schedule that was measured, in their
// order, and a line for the best so far. The axis of times is logarithmic.
std::string picture(const std::vector<Tuned> &all, const std::vector<Trial> &trials);

} // namespace atl::driver
