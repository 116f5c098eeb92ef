// The instructions of a mapped loop, as C. Source: docs/hardware.md.
#pragma once
#include "cbackend/c_scalar.h"
#include "cbackend/names.h"
#include "cbackend/writer.h"
#include "lowering/lane_code.h"

namespace atl::cbackend {

void emit_lanes(const lowering::LaneCode &code, const Scope &scope, NameScope names, Prelude &prelude,
                Writer &out);

} // namespace atl::cbackend
