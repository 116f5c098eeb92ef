// Temporaries that are stored to plain memory piece by piece, as they are completed: the instructions that do
// so run beside those that compute the rest.
#pragma once
#include "atl/base/result.h"
#include "atl/index/known.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// As the schedule asks, once all nests are mapped and before configurations are set. The loops stay as they
// are; what the hardware does else stands beside them (lowering/nest/block_code.h). Adds obligations.
Result<bool> drain(lowering::LoopKernel &kernel);

// One temporary, where `only` holds; false if it cannot be done.
bool drain_where(const Pred &only, lowering::LoopKernel &kernel, const Requests::Drained &asked,
                 lowering::Alloc &alloc, const Known &around);

} // namespace atl::accel
