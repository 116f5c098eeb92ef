// What must hold for a loop nest to be safe, derived from the loop nest alone: every read and store is inside
// its buffer, every store without a reduction hits a cell once, iterations of a parallel or vectorized loop
// touch nothing of each other, every temporary fits its allocation, every index fits 64 bits. This checks a
// second time, independently, what the language checks promise. Flat offsets need no obligation of their own:
// they are below the number of elements, which the C function checks at entry.
// Comes in: a loop nest. Goes out: obligations. May use: atl and lowering/nest; nothing that made the nest.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

std::vector<Obligation> verify(const LoopKernel &kernel);

} // namespace atl::lowering
