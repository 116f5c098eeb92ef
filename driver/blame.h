// Which step of a schedule it was, when all steps could be applied but the program they leave is refused.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"
#include "proofs/discharge.h"

#include <string>
#include <vector>

namespace atl::driver {

// Adds to each of the diagnostics which schedule it is about, and the first step without which it is right.
void name_step(Diagnostics &diagnostics, const std::string &schedule, const TypedKernel &algorithm,
               const std::vector<Step> &steps, proofs::Prover &prover);

} // namespace atl::driver
