// Steps that state what is known of the sizes of a kernel. What they state is an obligation, and the steps
// behind them may use it.
#pragma once
#include "atl/schedule/steps/arguments.h"

namespace atl::schedule {

void bound(Arguments &in, rewrites::Work &work);
void align(Arguments &in, rewrites::Work &work);

} // namespace atl::schedule
