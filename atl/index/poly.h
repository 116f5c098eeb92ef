// Polynomials over atoms (variables, divisions, remainders, min, max): the normal form of index expressions.
// Coefficients are 64-bit; an operation that would overflow gives nothing, and the caller leaves the
// expression as it was.
#pragma once
#include "atl/index/index.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl {

// Loop variables (lower case) before sizes (upper case), so that i * M is printed and not M * i.
struct AtomOrder {
  bool operator()(const std::string &a, const std::string &b) const;
};

using Monomial = std::vector<std::string>; // keys of atoms, sorted by AtomOrder; empty: the constant term

struct MonomialOrder {
  bool operator()(const Monomial &a, const Monomial &b) const; // higher degree first, then AtomOrder
};

struct Poly {
  std::map<Monomial, std::int64_t, MonomialOrder> terms; // no zero coefficients
  std::map<std::string, Index> atoms; // key (its printed form) -> expression, at least those in terms

  std::int64_t constant_term() const;
  bool is_constant() const { return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty()); }
};

using MaybePoly = std::optional<Poly>;

Poly poly_constant(std::int64_t value);
Poly poly_atom(const Index &atom);
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
