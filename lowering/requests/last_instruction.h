// Marks the vectorized loops whose last instruction the schedule names; accel/ finds it, or refuses.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// An error for each request without a vectorized loop of its name.
Diagnostics mark_last_instructions(Block &body, const std::vector<Requests::Last> &requests);

} // namespace atl::lowering
