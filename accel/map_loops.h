// A loop nest and a description of hardware -> the nest with instructions, on lanes or on blocks.
//
// The rooms in the order of the data: describe/ makes a Target of a description; match/ finds the operands of
// an instruction for an expression; lanes/ and blocks/ choose instructions, and each states or checks what
// makes its choice right. They use lowering/nest/ and the language, and neither C nor a solver.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// The same kernel: its loops stay as they are, and know the instructions that run them. The conditions of
// these are obligations (kind instr).
Result<lowering::LoopKernel> map_loops(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
