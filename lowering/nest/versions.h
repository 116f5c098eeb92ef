// A kernel in several versions as the loop nest has it: one statement for each, of which one runs.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// Of the body of a kernel in several versions: when each of them runs, given that none before it does; the
// last condition is true. Empty for other bodies.
std::vector<Pred> conditions_in_order(const Block &body);

} // namespace atl::lowering
