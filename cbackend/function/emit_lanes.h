// The instructions of a mapped loop, as C. Source: docs/hardware.md.
#pragma once
#include "cbackend/term/c_scalar.h"
#include "cbackend/term/names.h"
#include "cbackend/term/writer.h"
#include "lowering/nest/lane_code.h"

namespace atl::cbackend {

void emit_lanes(const lowering::LaneCode &code, const Scope &scope, NameScope names, Prelude &prelude,
                Writer &out);

// The C of an instruction whose value is a scalar.
std::string c_call(const lowering::LaneCall &call, const Scope &scope, Prelude &prelude);

} // namespace atl::cbackend
