// What may mend a program that compiles up to a mistake: proposals, which driver/try_fixes.h tries.
#pragma once
#include "driver/pipeline.h"

namespace atl::driver {

// Adds fixes to the diagnostics, the likeliest first.
void propose_fixes(Compilation &compilation, proofs::Prover &prover);

} // namespace atl::driver
