// Indices and conditions in their normal form: what the facts decide vanishes.
#include "atl/index/facts.h"

namespace atl {

namespace {

MaybePoly quotient_and(const Poly &quotient, const Index &atom) {
  return poly_add(quotient, poly_atom(atom));
}

// e / d, e % d and cdiv(e, d): whole multiples of d leave the division; what remains vanishes if its range is
// known.
MaybePoly normalize_division(const Facts &facts, const Index &e) {
  auto dividend = facts.normal_form(e->a), divisor = facts.normal_form(e->b);
  if (!dividend || !divisor)
    return std::nullopt;
  Index d = to_index(*divisor);
  if (as_constant(d).value_or(1) <= 0)
    return poly_atom(binary(e->op, to_index(*dividend), d)); // has no value; an obligation says so
  Division division{poly_constant(0), *dividend};
  if (auto found = poly_divide(*dividend, *divisor))
    division = *found;
  Index rest = to_index(division.rest);
  bool whole = division.rest.terms.empty();
  auto rest_in = [&](const Poly &lo, const Poly &hi) { // lo <= rest < hi
    auto above = poly_add(division.rest, lo, -1), below = poly_add(hi, division.rest, -1);
    auto strictly_below = below ? poly_add(*below, poly_constant(-1)) : below;
    return above && strictly_below && facts.proves_nonnegative(*strictly_below) &&
           facts.proves_nonnegative(*above);
  };
  const Poly zero = poly_constant(0), one = poly_constant(1);
  switch (e->op) {
  case IndexOp::div:
    if (whole || rest_in(zero, *divisor))
      return division.quotient;
    return quotient_and(division.quotient, floor_div(rest, d));
  case IndexOp::mod:
    if (whole || rest_in(zero, *divisor))
      return division.rest;
    return poly_atom(modulo(rest, d));
  default: {
    auto before = poly_add(one, *divisor, -1), after = poly_add(*divisor, one);
    if (whole || (before && rest_in(*before, one)))
      return division.quotient;
    if (after && rest_in(one, *after))
      return poly_add(division.quotient, one);
    return quotient_and(division.quotient, ceil_div(rest, d));
  }
  }
}

MaybePoly normalize_extremum(const Facts &facts, const Index &e) {
  auto a = facts.normal_form(e->a), b = facts.normal_form(e->b);
  if (!a || !b)
    return std::nullopt;
  bool is_min = e->op == IndexOp::min;
  auto a_to_b = poly_add(*b, *a, -1), b_to_a = poly_add(*a, *b, -1);
  if (a_to_b && facts.proves_nonnegative(*a_to_b))
    return is_min ? a : b;
  if (b_to_a && facts.proves_nonnegative(*b_to_a))
    return is_min ? b : a;
  return poly_atom(binary(e->op, to_index(*a), to_index(*b)));
}

} // namespace

// Atoms are simplified too.
MaybePoly Facts::find_normal_form(const Index &e) const {
  switch (e->op) {
  case IndexOp::div:
  case IndexOp::mod:
  case IndexOp::cdiv: return normalize_division(*this, e);
  case IndexOp::min:
  case IndexOp::max: return normalize_extremum(*this, e);
  default: break;
  }
  auto a = normal_form(e->a), b = normal_form(e->b);
  if (!a || !b)
    return std::nullopt;
  return e->op == IndexOp::mul ? poly_mul(*a, *b) : poly_add(*a, *b, e->op == IndexOp::add ? 1 : -1);
}

Index Facts::simplify(const Index &e) const {
  auto poly = normal_form(e);
  return poly ? to_index(*poly) : e;
}

Pred Facts::simplify(const Pred &p) const {
  if (proves(p))
    return truth(true);
  if (proves(neg(p)))
    return truth(false);
  switch (p->op) {
  case PredOp::truth: return p;
  case PredOp::neg: return neg(simplify(p->a));
  case PredOp::conj: {
    Pred first = simplify(p->a);
    Facts with_first = *this;
    with_first.assume(first);
    return conj(first, with_first.simplify(p->b));
  }
  case PredOp::disj: return disj(simplify(p->a), simplify(p->b));
  default: return compare(p->op, simplify(p->lhs), simplify(p->rhs));
  }
}

} // namespace atl
