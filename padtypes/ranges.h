// Questions about one loop variable: where at the ends of its range a predicate holds, and bounds of an
// expression over the range. Answers do not mention the variable; they may be missing, never wrong.
#pragma once
#include "atl/index/facts.h"

#include <optional>
#include <string>

namespace atl::padtypes {

struct Range {
  std::string var;
  Index lo, hi;
};

// e == slope * var + rest, both free of the variable.
struct Linear {
  Index slope, rest;
};
std::optional<Linear> linear_in(const Index &e, const std::string &var);

// A predicate holds for every value of the variable below `before`, and for every value from `from` on.
struct Ends {
  std::optional<Index> before, from;
};

// In all that follows `facts` include the range itself: lo <= var < hi.
Ends holds_at_ends(const Pred &p, const Range &range, const Facts &facts);
std::optional<Index> lower_bound(const Index &e, const Range &range, const Facts &facts);
std::optional<Index> upper_bound(const Index &e, const Range &range, const Facts &facts);

// A predicate that holds wherever p holds for some value of the variable. Comparisons with the variable
// become true, or their best case if `best_case`.
Pred for_some(const Pred &p, const Range &range, const Facts &facts, bool best_case);

} // namespace atl::padtypes
