// Sums that start from what is added to them where they are read: out = f(sums[i, j] + bias[j]) becomes
// sums[i, j] = bias[j], before anything is added, and out = f(sums[i, j]).
#pragma once
#include "atl/result.h"
#include "lowering/loop_ir.h"

namespace atl::accel {

// As the schedule asks, before nests are mapped. Of integers, which may be added in any order. Adds
// obligations.
Result<bool> start_sums(lowering::LoopKernel &kernel);

} // namespace atl::accel
