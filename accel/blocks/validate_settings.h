// States that each instruction finds the configuration that it needs, whichever way leads to it. Knows
// nothing of how settings were inserted.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::accel {

// Of kind instr: one for each need of each call.
std::vector<Obligation> setting_obligations(const lowering::LoopKernel &kernel);

} // namespace atl::accel
