// Counterexamples without a solver. The order that makes one smaller than another: first the sum of the
// sizes, then each size, then each variable, where 0 < 1 < 2 < ... < -1 < -2 < ...
#pragma once
#include "atl/index/obligation.h"
#include "proofs/z3/solve.h"

namespace atl::proofs {

// The first claim that is violated where all hypotheses hold, by exact evaluation; nothing if the valuation
// is no counterexample.
const Claim *violated_claim(const Obligation &obligation, const Valuation &values);

struct Enumeration {
  std::optional<Valuation> model; // the first in the order among the valuations tried
  bool is_smallest = false;       // no valuation that could be smaller was left out
};

// All small sizes in order of their sum, and under each all variables in their ranges, up to a number of
// steps (of about a microsecond).
Enumeration enumerate_small(const Obligation &obligation, std::size_t most_steps, const Deadline &deadline);

// For claims about large numbers: all sizes alike and the variables at the ends of their ranges, then made
// smaller one by one.
std::optional<Valuation> search_corners(const Obligation &obligation);

} // namespace atl::proofs
