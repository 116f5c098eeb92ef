#include "atl/check/conversions.h"

#include "atl/scalar/scalar.h"

#include <cmath>
#include <fmt/format.h>

namespace atl::check {

Fix converted(Span place, Elem to) {
  const Span begin{place.file, place.begin, place.begin}, end{place.file, place.end, place.end};
  return {fmt::format("convert it: {}(...)", name(to)), {{begin, fmt::format("{}(", name(to))}, {end, ")"}}};
}

static std::optional<Fix> other_literal(const Expr &typed, Elem needed) {
  const Literal *literal = std::get_if<Literal>(&typed.node);
  if (!literal)
    return std::nullopt;
  std::string text;
  if (is_float(needed) && !literal->is_float)
    text = fmt::format("{}.0", literal->integer);
  else if (is_integer(needed) && literal->is_float && std::abs(literal->real) < 1e15 &&
           std::floor(literal->real) == literal->real)
    text = fmt::format("{:.0f}", literal->real);
  else
    return std::nullopt;
  return Fix{"write " + text, {{typed.span, text}}};
}

std::vector<Fix> conversions(const Expr &typed, Elem needed, std::optional<Span> other) {
  if (auto literal = other_literal(typed, needed))
    return {*literal};
  const Elem has = typed.type->elem;
  if (keeps_values(has, needed))
    return {converted(typed.span, needed)};
  if (other && keeps_values(needed, has))
    return {converted(*other, has)};
  return {};
}

} // namespace atl::check
