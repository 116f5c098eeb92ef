// What is read in later iterations of a loop around, fetched into the caches. Source:
// docs/schedules.md, `prefetch`.
#pragma once
#include "cbackend/term/c_scalar.h"
#include "cbackend/term/writer.h"
#include "lowering/nest/loop_ir.h"

#include <span>

namespace atl::cbackend {

// For the stores and mapped loops among these statements, not for those inside other loops. Each line of the
// cache once, as far as that is known of constant distances. An address may lie behind the tensor: it is
// computed as a number, and nothing is read there. `c` is the hardware's, with the hole {address}.
void emit_prefetches(std::span<const lowering::Stmt> body, const Scope &scope, const std::string &c,
                     Prelude &prelude, Writer &out);

} // namespace atl::cbackend
