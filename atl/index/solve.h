// What a condition says about one variable: for which of its values the condition holds. Answers do not
// mention the variable; they may be missing, never wrong.
// Comes in: a condition, a variable, facts. Goes out: ends of the range of the variable.
#pragma once
#include "atl/index/bounds.h"

namespace atl {

// The condition holds for every value of the variable below `before`, and for every value from `from` on;
// null where that is not known.
struct Solution {
  Index before, from;
};

// Within the range of a loop; the facts include the range itself.
Solution solve(const Pred &condition, const LoopRange &range, const Facts &facts);

// Of a comparison that holds exactly from `from` on, or exactly below `before`: some multiple of the variable
// is compared with what is free of it.
Solution solve_exactly(const Pred &comparison, const std::string &var, const Facts &facts);

// n, where the comparison is `var < n` under the facts, or var / c < n / c; null if it says something else.
Index upper_bound(const Pred &comparison, const std::string &var, const Facts &facts);

// `variable op value`: what a condition says of variables without being solved. Of a comparison of two
// variables there are two, of a conjunction all.
struct StatedBound {
  std::string variable;
  PredOp op;
  Index value;
};
std::vector<StatedBound> stated_bounds(const Pred &condition);

} // namespace atl
