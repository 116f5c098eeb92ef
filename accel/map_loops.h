// The vectorized loops of a kernel, mapped to the instructions of a hardware description.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// The same kernel; each vectorized loop knows its instructions, and the conditions of these are obligations
// (kind instr). Every vectorized loop is mapped, or there is an error.
Result<lowering::LoopKernel> map_loops(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
