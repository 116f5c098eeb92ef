// The lemma that some sizes satisfy the hypotheses, so that the theorem speaks of something.
#pragma once
#include "proofs/reader/coq/values.h"

namespace atl::proofs::reader::coq {

// Its statement, and the proof behind it: that of the hypotheses, by these sizes. `names`: of the variables,
// in the order of the sizes. Throws Difference.
struct Example {
  const std::vector<std::string> &names;
  const Sizes &sizes; // what the names stand for
  const std::vector<Pred> &hypotheses;
  const Valuation &values;
};
void same_example(const Sentence &lemma, const Sentence &proof, const Example &example);

} // namespace atl::proofs::reader::coq
