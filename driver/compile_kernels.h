// All definitions of a program that is right in names, types and shapes, and their schedules: each through
// the stages of driver/stages.h, several at a time.
#pragma once
#include "atl/check/check.h"
#include "driver/pipeline.h"

namespace atl::driver {

// Adds what becomes of them to the compilation, in the order of the text, with what is wrong.
void compile_kernels(Compilation &c, TypedProgram typed, proofs::Prover &prover, bool with_schedules,
                     const Choice &choice);

} // namespace atl::driver
