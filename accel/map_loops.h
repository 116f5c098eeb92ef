// The vectorized loops of a kernel, mapped to the instructions of a hardware description. Source: design.md
// section 5.
#pragma once
#include "accel/block_pattern.h"
#include "accel/pattern.h"
#include "lowering/loop_ir.h"

namespace atl::accel {

struct Target {
  std::shared_ptr<const Hardware> hardware; // the meanings are typed
  std::vector<Pattern> patterns;            // into `hardware`
  std::vector<BlockPattern> blocks;         // instead, if its memories have rows
  std::vector<Obligation> obligations;      // of the meanings
};

// Refuses a description with errors in the meaning of an instruction.
Result<Target> make_target(const Hardware &hardware, const Program &program);

// The same kernel; each vectorized loop knows its instructions, and the conditions of these are obligations
// (kind instr). Every vectorized loop is mapped, or there is an error.
Result<lowering::LoopKernel> map_loops(lowering::LoopKernel kernel, const Target &target);

} // namespace atl::accel
