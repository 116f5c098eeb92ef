// The condition of a step `if`: decided when the schedule runs, before the sizes of the kernel are known.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/program.h"

namespace atl::schedule {

// Conditions separated by commas, all of which must hold: h > 1 and h != 7, A is f32. `choice` is the step,
// with its arguments substituted.
Result<bool> holds(const Step &choice, const Kernel &kernel);

} // namespace atl::schedule
