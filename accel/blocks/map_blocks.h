// The nests of loops of a kernel, mapped to instructions on blocks (match_block.h), and its temporaries in
// memories of rows. Source: docs/hardware.md.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// Every store belongs to a nest that becomes one instruction, or there is an error.
Result<lowering::LoopKernel> map_blocks(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
