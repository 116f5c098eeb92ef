// The facts about products that the solver is handed for nonlinear obligations. Each hint is an instance of
// one of these lemmas, premises included, so it holds for all integers whatever the hints are made from. A
// unit test has Z3 prove the lemmas themselves.
#pragma once
#include "atl/index/index.h"

#include <string_view>
#include <vector>

namespace atl::proofs {

struct Lemma {
  std::string_view name;
  std::vector<Pred> premises;
  Pred conclusion; // over the variables f and g
};

const Lemma &product_lemma();          // f >= 0, g >= 0         |-  f * g >= 0
const Lemma &scaled_equation_lemma();  // f == 0                 |-  f * g == 0
const Lemma &positive_factors_lemma(); // f >= 0, g >= 0, f * g > 0  |-  f > 0 and g > 0
const std::vector<const Lemma *> &all_lemmas();

Pred as_formula(const Lemma &lemma); // premises => conclusion
Pred instance(const Lemma &lemma, const Index &f, const Index &g);

} // namespace atl::proofs
