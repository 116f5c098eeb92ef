// The value of a constant scalar expression: literals, operations, conversions and select.
#pragma once
#include "atl/expr.h"
#include "atl/result.h"

namespace atl::parse {

Result<Scalar> fold(const ExprPtr &e, Elem type);

} // namespace atl::parse
