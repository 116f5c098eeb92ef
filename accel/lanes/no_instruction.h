// The message that no instructions do what the lanes of a loop store.
#pragma once
#include "accel/describe/target.h"
#include "accel/lanes/lanes.h"

namespace atl::accel {

// `part`: what nothing computes. If the schedule asks for a last instruction, it is not the one.
Diagnostic no_instruction(const Target &target, const lowering::For &loop, const lowering::Store &store,
                          const ExprPtr &part, const Lanes &lanes);

} // namespace atl::accel
