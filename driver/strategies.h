// The strategies that the step `auto` chooses from: the steps of a file strategies.atl that the program
// imports.
#pragma once
#include "atl/base/source.h"
#include "atl/schedule/run.h"
#include "atl/schedule/text/definitions.h"

namespace atl::driver {

bool is_auto(const Step &step);
bool uses_auto(const std::vector<Step> &steps);

// What uses of the strategies stand for, for a kernel as it is. None: the program does not import them.
using Expand = std::function<Result<std::vector<Step>>(const std::vector<Step> &, const TypedKernel &now)>;
Expand strategies_of(const Program &program, const Sources &sources,
                     const schedule::Definitions &definitions);

} // namespace atl::driver
