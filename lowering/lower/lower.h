// Lowering by composition of reindexers and simplification under the known
// ranges.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"
#include "padtypes/padtypes.h"

namespace atl::lowering {

// Without the obligations about the memory, and with loops still to be unrolled.
Result<LoopKernel> lower_unverified(const padtypes::CheckedKernel &checked);

} // namespace atl::lowering
