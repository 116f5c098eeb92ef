// Bounds of an index: between which ends its values lie. Each operation has one rule for each kind of ends:
// numbers, where the ranges of variables are numbers; and indices, where a loop's variable gives way to the
// ends of the loop. An answer may be missing, or wider than needed; it is never wrong.
// Comes in: an index, ranges of its variables. Goes out: its bounds.
#pragma once
#include "atl/index/facts.h"

#include <limits>

namespace atl {

// Both ends are included.
struct Interval {
  std::int64_t lo, hi;
};
using Intervals = std::map<std::string, Interval>;

// What fits 64 bits.
inline constexpr std::int64_t least_index = std::numeric_limits<std::int64_t>::min(),
                              greatest_index = std::numeric_limits<std::int64_t>::max();

// For code that computes e: nothing if the value of any part may not fit 64 bits, or if a divisor may not be
// positive. Nothing is assumed of variables that have no interval.
std::optional<Interval> interval_of(const Index &e, const Intervals &variables);

// e == slope * var + rest, both free of the variable.
struct Linear {
  Index slope, rest;
};
std::optional<Linear> linear_in(const Index &e, const std::string &var);

struct LoopRange {
  std::string var;
  Index lo, hi; // lo <= var < hi
};

// Both ends are included; null: not known.
struct Bounds {
  Index lo, hi;
};

// The values of e over all iterations of the loops, outermost first, in terms of what is not their variable.
// The facts hold while the loops run: the ranges of the loops are among them. Divisors are positive, which is
// an obligation of its own.
Bounds bounds_of(const Index &e, const std::vector<LoopRange> &loops, const Facts &facts);

} // namespace atl
