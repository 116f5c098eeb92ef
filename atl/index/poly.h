// Polynomials over atoms (variables, divisions, remainders, min, max): the normal form of index expressions.
// Coefficients are 64-bit; an operation that would overflow gives nothing, and the caller leaves the
// expression as it was.
#pragma once
#include "atl/index/index.h"

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl {

// What a polynomial takes as an unknown. Atoms are compared by their printed forms.
class Atom {
public:
  explicit Atom(Index index);
  const Index &index() const { return index_; }
  const std::string &text() const { return is_variable() ? index_->name : *text_; }

  friend bool operator==(const Atom &a, const Atom &b) {
    return a.index_ == b.index_ || a.text() == b.text();
  }
  friend std::strong_ordering operator<=>(const Atom &a, const Atom &b) {
    return a.index_ == b.index_ ? std::strong_ordering::equal : a.text() <=> b.text();
  }

private:
  bool is_variable() const { return index_->op == IndexOp::variable; }

  Index index_;
  std::shared_ptr<const std::string> text_; // nothing for a variable, which has its name
};

// Loop variables (lower case) before sizes (upper case), so that i * M is printed and not M * i.
struct AtomOrder {
  bool operator()(const Atom &a, const Atom &b) const;
};

using Monomial = std::vector<Atom>; // sorted by AtomOrder; empty: the constant term

struct MonomialOrder {
  bool operator()(const Monomial &a, const Monomial &b) const; // higher degree first, then AtomOrder
};

struct Poly {
  std::vector<std::pair<Monomial, std::int64_t>> terms; // by MonomialOrder; no zero coefficients

  std::int64_t constant_term() const;
  bool is_constant() const { return terms.empty() || terms.front().first.empty(); }
};

using MaybePoly = std::optional<Poly>;

Poly poly_constant(std::int64_t value);
Poly poly_atom(const Atom &atom);
inline Poly poly_atom(const Index &atom) {
  return poly_atom(Atom(atom));
}
MaybePoly poly_add(const Poly &a, const Poly &b, std::int64_t factor = 1); // a + factor * b
MaybePoly poly_mul(const Poly &a, const Poly &b);
MaybePoly as_written(const Index &e); // divisions, remainders, min and max are atoms as they stand

// p = quotient * divisor + rest, taking every term that `divisor` (one positive term) divides into the
// quotient.
struct Division {
  Poly quotient, rest;
};
std::optional<Division> poly_divide(const Poly &p, const Poly &divisor);

Index to_index(const Poly &p); // terms sorted: positive ones first, then by degree and size of coefficient

} // namespace atl
