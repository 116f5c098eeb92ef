// Conditions as ends of ranges.
#pragma once
#include "atl/index/facts.h"

namespace atl {

// low <= var, or var < high: what a condition says under the facts, where it is about a multiple of var as
// well. Both are null if it says something else.
struct Bound {
  Index low, high;
};
Bound bound_on(const Pred &condition, const std::string &var, const Facts &facts);

// n, where the condition says `var < n` under the facts; null if it says something else.
Index upper_bound(const Pred &condition, const std::string &var, const Facts &facts);

} // namespace atl
