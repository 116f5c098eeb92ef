// What a kernel checks before it touches anything: sizes, where clauses, tensor sizes, pointers, overlap; and
// its heap buffers.
#pragma once
#include "cbackend/function/error_codes.h"
#include "cbackend/function/workspace.h"
#include "cbackend/term/c_scalar.h"
#include "cbackend/term/names.h"
#include "cbackend/term/writer.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::cbackend {

// The sizes and where clauses alone.
void emit_size_checks(const lowering::LoopKernel &kernel, const Scope &scope, NameScope &names,
                      const ErrorCodes &codes, Prelude &prelude, Writer &out);
// Declares `const int64_t X_bytes` for tensors and temporaries, and the pointers of the workspace; `names`
// gives free names.
void emit_entry_checks(const lowering::LoopKernel &kernel, const Workspace &workspace, const Scope &scope,
                       NameScope &names, const ErrorCodes &codes, Prelude &prelude, Writer &out);
void emit_exit(const Workspace &workspace, const ErrorCodes &codes, Writer &out);

} // namespace atl::cbackend
