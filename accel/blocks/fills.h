// The nests of instructions that fill a temporary in a memory of rows.
#pragma once
#include "accel/blocks/block_nest.h"

namespace atl::accel {

struct Fills {
  std::vector<lowering::For *> nests; // in their order, without those that nobody needs
  std::size_t rest;                   // the first statement behind them, in the body of the temporary
};

// The statements at the start of its life that only store to it; the next ones may add what plain memory has.
// What is added later is added in the rows of its own iteration. `turn`: what an iteration does.
Fills fills_of(lowering::Alloc &alloc, const lowering::Block &turn, const Buffers &buffers);

// Their pieces are the same cells.
bool are_alike(const lowering::For &a, const lowering::For &b);

// A tensor that the nest reads and that is stored to in the block; empty: none.
std::string changing_source(const lowering::For &fill, const lowering::Block &body);

} // namespace atl::accel
