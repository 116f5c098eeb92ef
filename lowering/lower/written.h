// Which cells of a tensor are written. Decides what needs no initial value; each decision is also an
// obligation.
#pragma once
#include "atl/index/facts.h"
#include "atl/syntax/expr.h"

#include <string>
#include <vector>

namespace atl::lowering {

// A condition under which every cell of a tensor is written: wherever the hypotheses hold (the ranges of the
// cell's indices and what leads to this place), `claim` holds.
struct WrittenCondition {
  std::vector<std::string> variables; // the indices of the cell
  std::vector<Pred> hypotheses;
  Pred claim;
  Span span;
};

// One condition per guard and padding operator of e. Reductions count as written: their accumulators always
// have a value.
std::vector<WrittenCondition> written_conditions(const ExprPtr &e);

} // namespace atl::lowering
