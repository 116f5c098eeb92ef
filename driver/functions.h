// The functions of a library, from the kernels and schedules that were chosen for it.
#pragma once
#include "driver/pipeline.h"

namespace atl::driver {

// Whether it has no schedules but those that atlc adds by default.
bool is_automatic(const std::string &kernel, const Compilation &c, const Choice &choice);

// The versions of a kernel that is automatic, or of which the user named the schedules in the order in which
// the CPU is to be asked, are one function, under the kernel's name. Else the kernel, and each of its
// schedules, is a function: kernel_schedule. All names begin with `prefix`. A diagnostic if one of the
// versions of a function would never run.
Result<std::vector<lowering::LoopKernel>> functions_of(const std::vector<const Compiled *> &chosen,
                                                       const Compilation &c, const Choice &choice,
                                                       const std::string &prefix = "");

} // namespace atl::driver
