// Values of sizes and variables in words.
#pragma once
#include "atl/index/index.h"

#include <string>
#include <vector>

namespace atl {

std::string value_text(const std::string &name, std::int64_t value); // N = 3
// N = 3, M = 4: all of these names, which have values.
std::string values_text(const std::vector<std::string> &names, const Valuation &values);

} // namespace atl
