#include "atl/index/poly.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <tuple>

namespace atl {

Atom::Atom(Index index) : index_(std::move(index)) {
  if (!is_variable())
    text_ = std::make_shared<const std::string>(to_string(index_));
}

bool AtomOrder::operator()(const Atom &a, const Atom &b) const {
  const bool upper_a = std::isupper(static_cast<unsigned char>(a.text()[0])) != 0;
  const bool upper_b = std::isupper(static_cast<unsigned char>(b.text()[0])) != 0;
  return upper_a != upper_b ? upper_b : a < b;
}

bool MonomialOrder::operator()(const Monomial &a, const Monomial &b) const {
  if (a.size() != b.size())
    return a.size() > b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), AtomOrder{});
}

std::int64_t Poly::constant_term() const {
  return !terms.empty() && terms.back().first.empty() ? terms.back().second : 0;
}

Poly poly_constant(std::int64_t value) {
  Poly p;
  if (value != 0)
    p.terms.emplace_back(Monomial{}, value);
  return p;
}

Poly poly_atom(const Atom &atom) {
  Poly p;
  p.terms.emplace_back(Monomial{atom}, 1);
  return p;
}

// Both are sorted, and so is their sum.
MaybePoly poly_add(const Poly &a, const Poly &b, std::int64_t factor) {
  Poly sum;
  sum.terms.reserve(a.terms.size() + b.terms.size());
  const MonomialOrder before;
  auto at = a.terms.begin();
  for (const auto &[monomial, coefficient] : b.terms) {
    take_step();
    for (; at != a.terms.end() && before(at->first, monomial); ++at)
      sum.terms.push_back(*at);
    std::int64_t total = 0;
    if (__builtin_mul_overflow(coefficient, factor, &total))
      return std::nullopt;
    if (at != a.terms.end() && at->first == monomial)
      if (__builtin_add_overflow(at++->second, total, &total))
        return std::nullopt;
    if (total != 0)
      sum.terms.emplace_back(monomial, total);
  }
  sum.terms.insert(sum.terms.end(), at, a.terms.end());
  return sum;
}

// The order of terms stays when all are multiplied by the same monomial.
static MaybePoly times_term(const Poly &p, const Monomial &by, std::int64_t factor) {
  Poly product;
  product.terms.reserve(p.terms.size());
  for (const auto &[monomial, coefficient] : p.terms) {
    take_step();
    auto &[both, scaled] = product.terms.emplace_back();
    both.reserve(monomial.size() + by.size());
    std::merge(monomial.begin(), monomial.end(), by.begin(), by.end(), std::back_inserter(both), AtomOrder{});
    if (__builtin_mul_overflow(coefficient, factor, &scaled))
      return std::nullopt;
  }
  return product;
}

MaybePoly poly_mul(const Poly &a, const Poly &b) {
  MaybePoly product = Poly();
  for (const auto &[monomial, coefficient] : b.terms) {
    const MaybePoly part = times_term(a, monomial, coefficient);
    product = part ? poly_add(*product, *part) : part;
    if (!product)
      break;
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
  for (const auto &[monomial, coefficient] : p.terms) {
    bool divides = coefficient % factor == 0 &&
                   std::includes(monomial.begin(), monomial.end(), by.begin(), by.end(), AtomOrder{});
    if (!divides) {
      result.rest.terms.emplace_back(monomial, coefficient);
      continue;
    }
    Monomial remaining;
    std::set_difference(monomial.begin(), monomial.end(), by.begin(), by.end(), std::back_inserter(remaining),
                        AtomOrder{});
    result.quotient.terms.emplace_back(std::move(remaining), coefficient / factor);
  }
  return result;
}

static Index monomial_to_index(const Monomial &monomial, std::int64_t coefficient) {
  Index product;
  for (const Atom &atom : monomial)
    product = product ? mul(product, atom.index()) : atom.index();
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
    Index term = monomial_to_index(*t.monomial, subtract ? -t.coefficient : t.coefficient);
    sum = !sum ? term : subtract ? sub(sum, term) : add(sum, term);
  }
  return sum ? sum : constant(0);
}

} // namespace atl
