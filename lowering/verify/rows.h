// Temporaries in memories of rows: each has rows of its own while it is alive.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// For each of them: its rows are among those of the memory, and no rows of another that is alive.
std::vector<Obligation> rows_apart(const LoopKernel &kernel, const Known &top);

} // namespace atl::lowering
