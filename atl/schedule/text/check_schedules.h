// What can be known of schedules before one runs.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/program.h"

namespace atl {

// What is wrong with the definitions and uses of steps and schedules, and with the expansion of each schedule
// that is applied by itself. Which steps the language has does not matter here.
Diagnostics check_schedules(const Program &program);

} // namespace atl
