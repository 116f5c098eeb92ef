// Indices of cells that are computed before they are added to the number of a row.
// Comes in: a loop nest. Goes out: indices. May use: atl and lowering/nest.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// Added term by term, as x + 1 to row*M, a partial sum might not fit 64 bits. Each of them once.
std::vector<Index> indices_apart(const LoopKernel &kernel);

} // namespace atl::lowering
