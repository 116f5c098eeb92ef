// A condition on the sizes of a kernel that makes a refuted obligation true.
#pragma once
#include "atl/index/obligation.h"
#include "proofs/discharge.h"

namespace atl::driver {

// The weakest of the conditions that were looked at: with it the obligation is proved, and large sizes of all
// kinds still satisfy it. Null if there is none.
Pred missing_where(const Obligation &obligation, const std::vector<std::string> &sizes,
                   proofs::Prover &prover);

} // namespace atl::driver
