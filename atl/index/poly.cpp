#include "atl/index/poly.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <tuple>

namespace atl {

bool AtomOrder::operator()(const std::string &a, const std::string &b) const {
  bool upper_a = std::isupper(static_cast<unsigned char>(a[0])) != 0;
  bool upper_b = std::isupper(static_cast<unsigned char>(b[0])) != 0;
  return std::tie(upper_a, a) < std::tie(upper_b, b);
}

bool MonomialOrder::operator()(const Monomial &a, const Monomial &b) const {
  if (a.size() != b.size())
    return a.size() > b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), AtomOrder{});
}

std::int64_t Poly::constant_term() const {
  auto found = terms.find({});
  return found == terms.end() ? 0 : found->second;
}

Poly poly_constant(std::int64_t value) {
  Poly p;
  if (value != 0)
    p.terms[{}] = value;
  return p;
}

Poly poly_atom(const Index &atom) {
  std::string key = to_string(atom);
  Poly p;
  p.terms[{key}] = 1;
  p.atoms.emplace(key, atom);
  return p;
}

static bool accumulate(Poly &into, const Monomial &monomial, std::int64_t coefficient) {
  take_step();
  auto [place, inserted] = into.terms.try_emplace(monomial, 0);
  if (__builtin_add_overflow(place->second, coefficient, &place->second))
    return false;
  if (place->second == 0)
    into.terms.erase(place);
  return true;
}

MaybePoly poly_add(const Poly &a, const Poly &b, std::int64_t factor) {
  Poly sum = a;
  sum.atoms.insert(b.atoms.begin(), b.atoms.end());
  for (const auto &[monomial, coefficient] : b.terms) {
    std::int64_t scaled = 0;
    if (__builtin_mul_overflow(coefficient, factor, &scaled) || !accumulate(sum, monomial, scaled))
      return std::nullopt;
  }
  return sum;
}

MaybePoly poly_mul(const Poly &a, const Poly &b) {
  Poly product;
  product.atoms = a.atoms;
  product.atoms.insert(b.atoms.begin(), b.atoms.end());
  for (const auto &[monomial_a, coefficient_a] : a.terms)
    for (const auto &[monomial_b, coefficient_b] : b.terms) {
      Monomial both;
      std::merge(monomial_a.begin(), monomial_a.end(), monomial_b.begin(), monomial_b.end(),
                 std::back_inserter(both), AtomOrder{});
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(coefficient_a, coefficient_b, &coefficient) ||
          !accumulate(product, both, coefficient))
        return std::nullopt;
    }
  return product;
}

MaybePoly as_written(const Index &e) {
  if (e->op == IndexOp::constant)
    return poly_constant(e->value);
  const bool is_sum = e->op == IndexOp::add || e->op == IndexOp::sub;
  if (!is_sum && e->op != IndexOp::mul)
    return poly_atom(e);
  MaybePoly a = as_written(e->a), b = as_written(e->b);
  if (!a || !b)
    return std::nullopt;
  return is_sum ? poly_add(*a, *b, e->op == IndexOp::add ? 1 : -1) : poly_mul(*a, *b);
}

std::optional<Division> poly_divide(const Poly &p, const Poly &divisor) {
  if (divisor.terms.size() != 1 || divisor.terms.begin()->second <= 0)
    return std::nullopt;
  const auto &[by, factor] = *divisor.terms.begin();
  Division result;
  result.quotient.atoms = result.rest.atoms = p.atoms;
  for (const auto &[monomial, coefficient] : p.terms) {
    bool divides = coefficient % factor == 0 &&
                   std::includes(monomial.begin(), monomial.end(), by.begin(), by.end(), AtomOrder{});
    if (!divides) {
      result.rest.terms[monomial] = coefficient;
      continue;
    }
    Monomial remaining;
    std::set_difference(monomial.begin(), monomial.end(), by.begin(), by.end(), std::back_inserter(remaining),
                        AtomOrder{});
    result.quotient.terms[remaining] = coefficient / factor;
  }
  return result;
}

static Index monomial_to_index(const Poly &p, const Monomial &monomial, std::int64_t coefficient) {
  Index product;
  for (const std::string &key : monomial)
    product = product ? mul(product, p.atoms.at(key)) : p.atoms.at(key);
  return product ? mul(product, constant(coefficient)) : constant(coefficient);
}

Index to_index(const Poly &p) {
  struct Term {
    const Monomial *monomial;
    std::int64_t coefficient;
  };
  std::vector<Term> terms;
  for (const auto &[monomial, coefficient] : p.terms)
    terms.push_back({&monomial, coefficient});
  std::stable_sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) {
    auto rank = [](const Term &t) {
      bool is_constant = t.monomial->empty();
      // Positive terms before negative ones, constants after the others of their sign.
      return std::tuple(t.coefficient < 0, is_constant, -static_cast<std::int64_t>(t.monomial->size()),
                        t.coefficient < 0 ? t.coefficient : -t.coefficient); // -|c|, which always exists
    };
    return rank(a) < rank(b);
  });
  // Where all terms are negative, the constant goes first: -1 - i.
  Index sum = !terms.empty() && terms[0].coefficient < 0 && !terms[0].monomial->empty()
                  ? constant(p.constant_term())
                  : nullptr;
  bool constant_done = sum != nullptr;
  for (const Term &t : terms) {
    if (constant_done && t.monomial->empty())
      continue;
    bool subtract = sum && t.coefficient < 0 && t.coefficient != INT64_MIN;
    Index term = monomial_to_index(p, *t.monomial, subtract ? -t.coefficient : t.coefficient);
    sum = !sum ? term : subtract ? sub(sum, term) : add(sum, term);
  }
  return sum ? sum : constant(0);
}

} // namespace atl
