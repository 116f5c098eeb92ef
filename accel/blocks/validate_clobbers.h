// States that nothing is kept in a memory of rows in which an instruction leaves nothing as it was
// (`clobbers`): neither a temporary around the instruction, nor one before or behind it, whose loads or
// stores may still be under way.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::accel {

// Of kind instr, for each such instruction of a mapped kernel and each temporary in such a memory.
std::vector<Obligation> clobber_obligations(const lowering::LoopKernel &kernel);

} // namespace atl::accel
