// Interval arithmetic on index expressions: which of them fit 64 bits whatever the sizes are. Used for the
// checks at entry only, which run before anything is proved about the sizes.
#pragma once
#include "atl/index/index.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl::cbackend {

struct Interval {
  std::int64_t lo, hi;
};
using Ranges = std::map<std::string, Interval>;

// The values of e; nothing if they, or those of a sub-expression, may not fit 64 bits, or if a divisor may
// not be positive.
std::optional<Interval> range_of(const Index &e, const Ranges &variables);
bool is_safe(const Pred &p, const Ranges &variables); // every index in it has a range

// Narrows the range of a size if p is a comparison of that size and a constant. True if p says no more than
// the ranges do now.
bool narrow(Ranges &variables, const Pred &p);
// From 0 to the least constant upper bound among the assumptions.
Ranges size_ranges(const std::vector<std::string> &sizes, const std::vector<Pred> &assumptions);

} // namespace atl::cbackend
