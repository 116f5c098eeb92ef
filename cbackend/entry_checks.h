// What a kernel checks before it touches anything: sizes, where clauses, tensor sizes, pointers, overlap; and
// its heap buffers.
#pragma once
#include "cbackend/c_scalar.h"
#include "cbackend/error_codes.h"
#include "cbackend/names.h"
#include "cbackend/writer.h"
#include "lowering/loop_ir.h"

#include <string>
#include <vector>

namespace atl::cbackend {

// A heap temporary: allocated at entry, freed at exit.
struct HeapBuffer {
  std::string c_name;
  Elem elem;
  Shape capacity;
};

// Declares `const int64_t X_bytes` for every tensor and heap buffer; `names` gives them free names.
void emit_entry_checks(const lowering::LoopKernel &kernel, const std::vector<HeapBuffer> &heap,
                       const Scope &scope, NameScope &names, const ErrorCodes &codes, Prelude &prelude,
                       Writer &out);
void emit_exit(const std::vector<HeapBuffer> &heap, const ErrorCodes &codes, Writer &out);

} // namespace atl::cbackend
