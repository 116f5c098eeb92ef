// Scalar forms under known facts: indices simplified, conditions that are decided removed.
#pragma once
#include "atl/index/facts.h"
#include "atl/syntax/expr.h"

namespace atl::lowering {

ExprPtr simplify_scalar(const ExprPtr &e, const Facts &facts);

} // namespace atl::lowering
