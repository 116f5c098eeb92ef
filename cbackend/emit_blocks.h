// The instructions on blocks of a mapped kernel, as C. Source: docs/hardware.md.
#pragma once
#include "cbackend/c_scalar.h"
#include "cbackend/writer.h"
#include "lowering/block_code.h"

namespace atl::cbackend {

// The settings before a loop; and what replaces it, if it is replaced.
void emit_block(const lowering::BlockCode &code, const Scope &scope, Prelude &prelude, Writer &out);

} // namespace atl::cbackend
