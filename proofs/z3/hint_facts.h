// What a formula and its quotients say about polynomials, and what is worth trying: the material of hints.
// Nothing here need be true: a hint states its premises.
#pragma once
#include "proofs/z3/purify.h"

namespace atl::proofs {

struct HintFact {
  enum class Kind {
    inequality, // p >= 0
    guess,      // perhaps p == 0
    equation,   // p == 0; to be multiplied even if that brings new monomials
  } kind;
  Poly p;
  std::vector<Monomial> meets; // the monomials of p by which it meets those that occur
};

// Every comparison in the formula's parts; for the quotients also their definitions, and comparisons with
// what they probably are; and that a minimum or maximum is one of the two.
std::vector<HintFact> collect_hint_facts(const Formula &formula);

} // namespace atl::proofs
