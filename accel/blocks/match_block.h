// Unifies a nest of loops with the meaning of an instruction on blocks. What it finds is checked by
// validate_blocks.h.
#pragma once
#include "accel/blocks/block_nest.h"
#include "accel/describe/block_pattern.h"

#include <variant>

namespace atl::accel {

struct BlockMatch {
  const BlockPattern *pattern;
  std::vector<std::size_t> loops;       // of the nest, by the loops of the pattern
  std::vector<Index> starts, extents;   // of the loops of the pattern, with the guards
  std::map<std::string, Index> sizes;   // of the instruction
  std::map<std::string, Index> strides; // elements between the rows of operands in plain memory
  lowering::BlockCall call;
  std::vector<lowering::Setting> needs;
};

// Why they do not fit, and how far they do: the farther, the more a message about it helps.
struct BlockRefusal {
  int progress = 0;
  std::string why;
};

// Whether the conditions of the instruction must be known to hold, or are left to the prover.
enum class Conditions { known, proved_later };

using BlockMatchResult = std::variant<BlockMatch, BlockRefusal>;
BlockMatchResult match_block(const BlockPattern &pattern, const Hardware &hardware, const BlockNest &nest,
                             const Facts &facts, const Buffers &buffers, Conditions conditions);

} // namespace atl::accel
