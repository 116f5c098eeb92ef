// C functions that run one instruction each, on memory.
#pragma once
#include "atl/syntax/hardware.h"

#include <string>

namespace atl::tests {

// An array `instructions` of functions, one for each instruction:
//   void NAME(const void *const *operands, const int64_t *sizes, const int64_t *strides, void *out)
// The operands are those that are no sizes, in order, each the address of its elements; `out` is where the
// result goes. `is_supported()` tells whether the CPU has them; in portable C, every CPU has.
std::string instruction_functions(const Hardware &hardware, bool in_portable_c);

} // namespace atl::tests
