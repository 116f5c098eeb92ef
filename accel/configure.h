// Configurations of the hardware: where they are set, so that each instruction finds the values it needs.
#pragma once
#include "atl/result.h"
#include "lowering/loop_ir.h"

namespace atl::accel {

bool same(const lowering::Setting &a, const lowering::Setting &b);

// The mapped calls with settings before them, as far outside of loops as their values are the same in all
// iterations and nothing inside needs others.
void insert_settings(lowering::LoopKernel &kernel);

// Goes through all paths again: an instruction that may find another value than it needs, or none; nothing if
// there is none.
std::optional<std::string> missing_setting(const lowering::LoopKernel &kernel);

} // namespace atl::accel
