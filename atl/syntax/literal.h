// The value that a literal of a type stands for: rounded to a float type, wrapped to an integer type.
#pragma once
#include "atl/syntax/expr.h"

namespace atl {

inline Scalar value_of(const Literal &literal, Elem elem) {
  if (!is_float(elem))
    return make_integer(elem, literal.integer);
  return make_real(elem, literal.is_float ? literal.real : static_cast<double>(literal.integer));
}

} // namespace atl
