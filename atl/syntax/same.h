// Whether two expressions do the same with their operands, whatever these are.
#pragma once
#include "atl/syntax/expr.h"

namespace atl {

// The same operation on scalars: on equal operands it gives equal values. Operands have no operation of their
// own: an access is never the same as another.
bool same_operation(const ExprPtr &a, const ExprPtr &b);

// The same form with the same fields, whatever its children are.
bool same_form(const ExprPtr &a, const ExprPtr &b);

} // namespace atl
