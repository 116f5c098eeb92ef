// What must hold for the instructions of a mapped nest to be safe, derived from the mapped nest alone: the
// elements of memory that each call may touch, those of the shapes that its instruction declares, are inside
// their tensors (kind bounds); addresses are aligned, and the condition of the instruction holds (kind
// instr). Each is said under the conditions around the call, and identical ones once.
// Comes in: a loop nest with instructions. Goes out: obligations. May use: atl and lowering/nest; nothing
// that chose the instructions.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

std::vector<Obligation> verify_instructions(const LoopKernel &kernel);

} // namespace atl::lowering
