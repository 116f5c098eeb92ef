// A description of hardware -> a Target: its instructions, checked, as patterns that loops are matched with.
//
// pattern.h reads the meaning of an instruction on lanes, block_pattern.h that of one on blocks, holes.h its
// C. The room uses the language, and knows no loop nest.
#pragma once
#include "accel/describe/block_pattern.h"
#include "accel/describe/pattern.h"

#include <memory>

namespace atl::accel {

struct Target {
  std::shared_ptr<const Hardware> hardware; // the meanings are typed
  std::vector<Pattern> patterns;            // into `hardware`
  std::vector<BlockPattern> blocks;         // instead, if its memories have rows
  std::vector<Obligation> obligations;      // of the meanings
};

// Refuses a description with errors in the meaning of an instruction.
Result<Target> make_target(const Hardware &hardware, const Program &program);

} // namespace atl::accel
