// A factor with a few values only, such as one that counts 0 or 1 blocks, hides that a formula is linear:
// with each of its values in place of it, the solver need not multiply.
#pragma once
#include "atl/index/index.h"

namespace atl::proofs {

struct Case {
  std::vector<Pred> hypotheses;
  Pred claim;
};

// The hypotheses imply the claim if they do in all of these cases: one for each combination of values of the
// factors whose ranges, of a few values each, the hypotheses state. A single case, if there is no such
// factor.
std::vector<Case> for_each_small_value(const std::vector<Pred> &hypotheses, const Pred &claim);

// The same for minima and maxima: one case for each of both sides of the first ones, in place of which stands
// that side. A single case, if there is none.
std::vector<Case> for_each_side(const std::vector<Pred> &hypotheses, const Pred &claim);

} // namespace atl::proofs
