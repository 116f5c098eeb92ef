// The smallest counterexample by repeated questions to Z3.
#pragma once
#include "proofs/refute/counterexample.h"

namespace atl::proofs {

// Starts from a counterexample if one is known. The result is one, checked by evaluation; the smallest if Z3
// answered every question before the deadline.
std::optional<Valuation> minimize_with_z3(z3::context &context, const Obligation &obligation,
                                          std::optional<Valuation> known, const Deadline &deadline);

} // namespace atl::proofs
