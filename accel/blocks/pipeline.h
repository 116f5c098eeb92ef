// Temporaries that are filled one iteration ahead: the instructions that fill them for the next iteration of
// the loop around them run beside those that work on what is there, in other rows of the memory.
#pragma once
#include "accel/blocks/row_memory.h"
#include "atl/base/result.h"

namespace atl::accel {

// As the schedule asks, once all nests are mapped and before configurations are set. The loops stay as they
// are; what the hardware does else stands beside them (lowering/nest/block_code.h). Adds obligations.
Result<bool> pipeline(lowering::LoopKernel &kernel, const Copies &copies, const Buffers &buffers);

} // namespace atl::accel
