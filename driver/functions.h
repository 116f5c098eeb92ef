// The functions of a library, from the kernels and schedules that were chosen for it.
#pragma once
#include "driver/pipeline.h"

namespace atl::driver {

// Each kernel, and each of its schedules, is a function: kernel_schedule. With `named`, when the user named
// the schedules in the order in which the CPU is to be asked, each kernel is one function, under its own
// name. All names begin with `prefix`. A diagnostic if one of the versions of a function would never run.
Result<std::vector<lowering::LoopKernel>> functions_of(const std::vector<const Compiled *> &chosen,
                                                       bool named, const std::string &prefix = "");

} // namespace atl::driver
