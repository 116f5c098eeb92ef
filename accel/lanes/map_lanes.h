// A loop nest and a target -> the nest, whose vectorized loops know the instructions on registers that run
// them.
//
// map_loop.h takes one loop, cover.h chooses instructions for what its lanes compute, match_lane.h finds
// their operands. validate.h compares their meaning with the loop, and uses nothing of the search. The room
// uses match/, and nothing of blocks/.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// Each vectorized loop knows its instructions, or there is an error.
Result<lowering::LoopKernel> map_lanes(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
