// Configurations of the hardware: where they are set. validate_settings.h states that each instruction then
// finds the values it needs.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// The mapped calls with settings before them, as far outside of loops as their values are the same in all
// iterations and nothing inside needs others.
void insert_settings(lowering::LoopKernel &kernel);

} // namespace atl::accel
