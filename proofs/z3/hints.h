// Which lemma instances a nonlinear formula is given: products of its facts with the factors that make them
// meet the monomials that occur. Chosen by polynomial arithmetic, which need not be trusted: an instance of a
// lemma is true anyway.
//
// A fact is f >= 0 or f == 0. For a monomial u that occurs and a monomial v of f that divides it, the fact is
// multiplied by u / v. So N - 1 - i >= 0 meets i * M in  (N - 1 - i) * M >= 0, which proves i * M + j < N *
// M.
#pragma once
#include "proofs/z3/lemmas.h"
#include "proofs/z3/purify.h"

namespace atl::proofs {

// An instance of a lemma.
struct Hint {
  const Lemma *lemma;
  Index f, g;
};
Pred as_formula(const Hint &hint);
std::vector<Pred> as_formulas(const std::vector<Hint> &hints);

enum class Hints {
  focused, // only products that bring no new monomials, besides those of equations
  wide,    // all products up to the degree of the formula, once more for the new ones
};

std::vector<Hint> make_hints(const Formula &formula, Hints choice);

} // namespace atl::proofs
