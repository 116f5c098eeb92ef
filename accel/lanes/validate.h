// Whether the instructions of a mapped loop compute what the loop computes: their meanings are put together
// again and compared with it. Independent of how they were found (cover.h).
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <optional>
#include <string>

namespace atl::accel {

struct LoopSurroundings {
  Facts facts;    // what holds there
  bool contracts; // a * b + c may be rounded once
  const std::map<std::string, lowering::Buffer> &buffers;
};

// What differs, or nothing.
std::optional<std::string> mapping_differs(const lowering::For &loop, const lowering::LaneCode &code,
                                           const LoopSurroundings &around);

// The same of a reduction that an instruction does for all lanes together.
std::optional<std::string> total_differs(const lowering::For &loop, const LoopSurroundings &around);

} // namespace atl::accel
