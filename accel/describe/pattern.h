// Instructions as patterns: one expression for every lane, over the lane and the operands.
#pragma once
#include "accel/describe/instruction.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::accel {

struct Pattern {
  const Instruction *source;
  Elem elem; // of the result
  std::int64_t lanes;
  std::string lane;   // the loop variable of the meaning
  ExprPtr value;      // of a lane: a scalar, or a guarded one, where inactive lanes are 0
  std::string active; // the size that says how many lanes are stored; empty: all, or the result is a register
  std::optional<Reduction> total = {}; // the result is a scalar: the values of all lanes, combined

  bool stores() const { return source->result_memory.empty() && !total; }
};

// The instructions whose meaning is gen lane < LANES { ... }, or gen lane < n { ... } for one that stores.
// Others are refused: each is an error at the instruction.
Result<std::vector<Pattern>> patterns_of(const std::vector<TypedInstruction> &instructions);

} // namespace atl::accel
