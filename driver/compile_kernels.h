// All definitions of a program that is right in names, types and shapes, and their schedules: each through
// the stages of driver/stages.h, several at a time.
#pragma once
#include "atl/check/check.h"
#include "driver/automatic.h"
#include "driver/pipeline.h"

namespace atl::driver {

// Adds what becomes of them to the compilation, in the order of the text, with what is wrong.
void compile_kernels(Compilation &c, TypedProgram typed, proofs::Prover &prover, bool with_schedules,
                     const Choice &choice);

// The same for one kernel that is right as it is written, under a schedule that stands in no text. It adds
// nothing to the compilation. `known`: what was asked before.
Attempt compile_under(const Compilation &c, const Compiled &written, const Schedule &schedule,
                      const proofs::Prover &known);

} // namespace atl::driver
