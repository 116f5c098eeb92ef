// Sums in a memory of rows that start from zeros: where the first instruction that adds to a block can
// replace what is there instead, nothing needs to be zero before.
#pragma once
#include "accel/blocks/block_nest.h"

namespace atl::accel {

struct FirstSum {
  const lowering::For *nest; // the mapped one that adds
  Index adds;                // 0 where it must replace, else 1
};

// If the temporary starts with zeros, nests add to it, and no other cells than those of the first of these
// are read behind it. The nest is known once the body is mapped.
std::optional<FirstSum> first_sum(const lowering::Alloc &alloc, const Known &around, const Buffers &buffers);

// The call of the nest, which is in the block, gets its hole {adds} filled; false if it has none.
bool choose_adding(lowering::Block &body, const FirstSum &first);

} // namespace atl::accel
