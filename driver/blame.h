// Which step of a schedule it was, when all steps could be applied but the program they leave is refused.
#pragma once
#include "driver/stages.h"

namespace atl::driver {

// Adds to each of the diagnostics which schedule it is about, and the first step without which it is right.
void name_step(Diagnostics &diagnostics, const Compiled &scheduled, const Asked &asked,
               proofs::Prover &prover);

} // namespace atl::driver
