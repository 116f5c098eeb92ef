// Unrolled loops replaced by copies of their bodies, one per iteration, with the iteration's number put in.
//
// This comes after verify(): the obligations are about the loop, one for all iterations, and a counterexample
// speaks of the loop's variable. A copy is an instance of what was proved.
//
// Comes in: a loop nest. Goes out: one without unrolled loops. May use: all of lowering, and what is above
// it.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// An error where the number of iterations is not constant, or where there would be too many copies.
Result<LoopKernel> unroll(LoopKernel kernel);

} // namespace atl::lowering
