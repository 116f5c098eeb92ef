// Results as Markdown.
#pragma once
#include "bench/results.h"

namespace atl::bench {

// Words in lines of at most 100 columns.
std::string wrapped(const std::string &text);

// Where and when, in two or three lines.
std::string description(const Environment &environment);

// Cases against peers, one table for each set of peers, and the means.
std::string comparison(const std::vector<Row> &rows);
// Cases against goals: how many meet them, and the ten that are nearest to them or beyond.
std::string goals(const std::vector<Row> &rows);
// Many cases against the same peers: the ten with the lowest ratios, and the means of all.
std::string lowest(const std::vector<Row> &rows);
// Steps, of which each is compared with the first and with the one before.
std::string steps(const std::vector<Row> &rows);

} // namespace atl::bench
