// The step `apply`: one small rule at a loop.
#pragma once
#include "atl/schedule/steps/arguments.h"

namespace atl::schedule {

void apply_rule(Arguments &in, rewrites::Work &work);

} // namespace atl::schedule
