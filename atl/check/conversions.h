// How an expression may get the element type that is needed.
#pragma once
#include "atl/base/fix.h"
#include "atl/syntax/expr.h"

#include <optional>

namespace atl::check {

// Another literal; or a conversion that keeps every value: of the expression, or, if the type that is needed
// is the narrower one, of what stands in the other place. Nothing where a conversion would lose values.
std::vector<Fix> conversions(const Expr &typed, Elem needed, std::optional<Span> other = std::nullopt);

Fix converted(Span place, Elem to); // f32(...) around what stands there

} // namespace atl::check
