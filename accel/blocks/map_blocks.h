// A loop nest and a target whose memories have rows -> the nest, with a call in the place of each nest around
// a store, and with temporaries in rows.
//
// choose.h takes an instruction for a nest, match_block.h finds its operands. Then pipeline.h and drain.h
// move calls to other iterations, configure.h and fences.h place what calls need before them. validate_*.h
// state that each of these is right, however it was found. The room uses match/, and nothing of lanes/.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// Every store belongs to a nest that becomes one instruction, or there is an error.
Result<lowering::LoopKernel> map_blocks(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
