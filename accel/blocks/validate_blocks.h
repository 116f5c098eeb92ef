// Whether an instruction on blocks does what the nest of loops does that it replaces: stated as obligations,
// from the call and the nest alone, however it was found (match_block.h).
#pragma once
#include "accel/blocks/match_block.h"

namespace atl::accel {

// That the block has exactly the iterations in which the nest stores; that each operand is, element by
// element, what the nest reads or writes there; and that the conditions of the instruction hold.
std::vector<Obligation> block_obligations(const lowering::LoopKernel &kernel, const BlockNest &nest,
                                          const BlockMatch &match, const Known &around,
                                          const Buffers &buffers);

} // namespace atl::accel
