// C functions that run one instruction each, on memory.
#pragma once
#include "atl/syntax/hardware.h"

#include <string>

namespace atl::tests {

// void NAME(const void *const *operands, const int64_t *sizes, void *out), for each instruction: the operands
// are those that are no sizes, in order, each the address of its elements; `out` is where the result goes.
std::string instruction_functions(const Hardware &hardware);
std::string function_name(const Instruction &instruction);

} // namespace atl::tests
