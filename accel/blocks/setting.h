// Values of a configuration of the hardware.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <string>

namespace atl::accel {

bool same(const lowering::Setting &a, const lowering::Setting &b);
bool mentions(const lowering::Setting &setting, const std::string &var);
lowering::Setting substituted(lowering::Setting setting, const Subst &by);

} // namespace atl::accel
