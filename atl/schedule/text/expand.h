// A schedule without the user's own words: uses of steps that the program defines, and of other schedules,
// are replaced by their bodies, `if` is decided, loops over names are written out. Only steps such as
// `specialize` keep a block.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/program.h"

#include <vector>

namespace atl {

inline constexpr std::size_t step_limit = 10000; // of an expanded schedule

Result<std::vector<Step>> expand(const Schedule &schedule, const Program &program, const Kernel &kernel);

// The same, for many schedules of one program.
namespace schedule {
class Definitions;
}
Result<std::vector<Step>> expand(const Schedule &schedule, const schedule::Definitions &definitions,
                                 const Kernel &kernel);

} // namespace atl
