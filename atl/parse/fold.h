// The value of a constant scalar expression: literals, operations, conversions and select.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/expr.h"

namespace atl::parse {

Result<Scalar> fold(const ExprPtr &e, Elem type);

} // namespace atl::parse
