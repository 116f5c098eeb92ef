// Hypotheses of a formula that make it hard to decide, and seldom have to do with the claim: disjunctions, of
// each of which a solver distinguishes the cases, and products of variables. So what is left of a formula
// without them is asked first: if that has no model, the formula has none.
#pragma once
#include "proofs/z3/purify.h"

#include <cstddef>

namespace atl::proofs {

bool is_alternative(const Pred &p); // a disjunction, such as that two numbers differ

std::size_t count_alternatives(const Formula &formula); // among the hypotheses: not that the claim is false
constexpr std::size_t many_alternatives = 3;            // without which a formula is asked about first

// What is said of the variables of the claim alone. A claim without variables says that there are no such
// values: all may matter then that has no alternatives.
Formula about_the_claim(const Formula &formula);

// Without the conditions of versions that were not chosen, for one.
Formula without_alternatives(const Formula &formula);

// It is linear, unless the claim has products, or divides by a variable.
Formula without_products(const Formula &formula);

} // namespace atl::proofs
