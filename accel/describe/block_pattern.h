// Instructions on blocks as patterns: a nest of loops, and the expression of one element. Source:
// docs/hardware.md.
#pragma once
#include "accel/describe/instruction.h"

#include <string>
#include <vector>

namespace atl::accel {

struct BlockLoop {
  std::string var; // from 0
  Index extent;    // a size of the instruction, or a constant
};

// gen loops[0], loops[1], ... { value }, where the loops from `kept` on are summed up: added to what the
// result holds, or inside of the value, where the sum is whole.
struct BlockPattern {
  const Instruction *source;
  std::vector<BlockLoop> loops;
  std::size_t kept;
  ExprPtr value;

  bool has_whole_sum() const { return !source->adds && kept < loops.size(); }
};

// Of a description whose memories have rows. Others are refused: each is an error at the instruction.
Result<std::vector<BlockPattern>> block_patterns_of(const Hardware &hardware,
                                                    const std::vector<TypedInstruction> &instructions);

} // namespace atl::accel
