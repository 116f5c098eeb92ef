// Temporaries that are stored to plain memory piece by piece, as they are completed: the instructions that do
// so run beside those that compute the rest.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// As the schedule asks, once all nests are mapped and before configurations are set. The loops stay as they
// are; what the hardware does else stands beside them (lowering/nest/block_code.h). Adds obligations.
Result<bool> drain(lowering::LoopKernel &kernel);

} // namespace atl::accel
