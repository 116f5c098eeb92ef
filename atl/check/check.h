// Names, element types, ranks and shapes: parsed Program -> typed kernels, with the obligations that remain
// for the solver.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"

namespace atl {

// All instructions of a hardware description, or every error in it. Their obligations are not decided here.
Result<std::vector<TypedInstruction>> check_hardware(const Hardware &hardware, const Program &program);

// `functions`: each as a kernel without sizes that takes and gives scalars. What is checked in a kernel is
// checked in them in the same way, at their definitions.
struct TypedProgram {
  std::vector<TypedKernel> functions, kernels;
};

// The whole program, or every error found in it. Obligations are not decided here.
Result<TypedProgram> check_program(const Program &program);

} // namespace atl
