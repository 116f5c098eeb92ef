// The instructions on blocks of a mapped kernel, as C. Source: docs/hardware.md.
#pragma once
#include "cbackend/term/c_scalar.h"
#include "cbackend/term/writer.h"
#include "lowering/nest/loop_ir.h"

namespace atl::cbackend {

// The settings before a loop.
void emit_settings(const lowering::BlockCode &code, const Scope &scope, Prelude &prelude, Writer &out);
// What replaces it, if that is an instruction.
void emit_call(const lowering::BlockCode &code, const Scope &scope, Prelude &prelude, Writer &out);

} // namespace atl::cbackend
