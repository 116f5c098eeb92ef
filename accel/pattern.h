// Instructions as patterns: one expression for every lane, over the lane and the operands. Source: design.md
// section 5.
#pragma once
#include "atl/check/check.h"
#include "atl/result.h"

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

  bool stores() const { return source->result_memory.empty(); }
  // The place among the parameters.
  const Param *param(const std::string &name) const;
  const std::string &memory_of(const std::string &name) const;
};

// The instructions whose meaning is gen lane < LANES { ... }, or gen lane < n { ... } for one that stores.
// Others are refused: each is an error at the instruction.
Result<std::vector<Pattern>> patterns_of(const std::vector<TypedInstruction> &instructions);

} // namespace atl::accel
