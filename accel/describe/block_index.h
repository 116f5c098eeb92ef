// How the meaning of an instruction on blocks indexes its operands.
#pragma once
#include "accel/describe/block_pattern.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::accel {

// A sum of loops, by their numbers, less a size of the instruction if one is named. So it runs through a
// window of the operand, and the condition of the terms says where it is inside.
struct BlockIndex {
  std::vector<std::size_t> loops;
  std::string less = {};
};
// Nothing: one of them is none.
std::optional<std::vector<BlockIndex>> indices_of(const BlockPattern &pattern,
                                                  const std::vector<Index> &indices);

} // namespace atl::accel
