// What must hold for a loop nest to be safe, derived from the loop nest alone: every read and store is inside
// its buffer, every store without a reduction hits a cell once, iterations of a parallel or vectorized loop
// touch nothing of each other, every temporary fits its allocation, every step of what C computes of indices
// fits 64 bits. This checks a second time, independently, what the language checks promise.
// Comes in: a loop nest. Goes out: obligations. May use: atl and lowering/nest; nothing that made the nest.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

std::vector<Obligation> verify(const LoopKernel &kernel);

// Widths of what only the code has: copies of unrolled loops, and operands of the instructions that loops are
// mapped to. Of copies, whose offsets have the form of the original's, only the indices. Steps that fit by
// the ranges of their variables alone raise nothing.
std::vector<Obligation> verify_code(const LoopKernel &kernel);

} // namespace atl::lowering
