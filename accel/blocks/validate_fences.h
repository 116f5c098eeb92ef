// States that instructions and the CPU find plain memory as the order of the program says, whichever way
// leads to a place: what was asked for before, and touches the same memory, is done. Knows nothing of how
// fences were inserted, and looks itself who touches what: a tensor that both forget would be missed.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::accel {

// Of kind instr: one for each tensor that an instruction or a statement of the CPU touches, if another one
// could be in its way.
std::vector<Obligation> fence_obligations(const lowering::LoopKernel &kernel);

} // namespace atl::accel
