// Names, element types, ranks and shapes: parsed Program -> typed kernels, with the obligations that remain
// for the solver.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"

namespace atl {

// All instructions of a hardware description, or every error in it. Their obligations are not decided here.
Result<std::vector<TypedInstruction>> check_hardware(const Hardware &hardware, const Program &program);

// All functions of the program, each as a kernel without sizes that takes and gives scalars: what is checked
// in a kernel is checked in them in the same way, at their definitions. Or every error found in them.
Result<std::vector<TypedKernel>> check_functions(const Program &program);

// All kernels of the program, or every error found in it. A kernel's obligations are not decided here.
Result<std::vector<TypedKernel>> check_program(const Program &program);

} // namespace atl
