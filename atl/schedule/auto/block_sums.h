// Sums of products for instructions on blocks, and the cells that are computed from them.
#pragma once
#include "atl/syntax/tree.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::schedule {

// One tensor's cells: gens around a single reduction over the loops `sums`, whose terms are a product of
// cells of `left` and of `right`.
struct BlockSum {
  std::string tensor;
  bool is_temporary;
  bool is_alone; // a cell is the sum; else something is computed from it
  std::vector<LoopHead> loops, sums;
  Access left, right;
  int added = 0;                         // values that are added to the sum where it stands
  std::vector<std::string> scalars = {}; // that a cell names, as where a function is called
};

// Those that are not in `decided`, the first one.
std::optional<BlockSum> next_block_sum(const TypedKernel &kernel, const std::set<std::string> &decided);

// The tensor whose cells are computed from those of a temporary, each from the one with the same indices.
struct Reader {
  std::string tensor;
  std::vector<LoopHead> loops;
  int added = 0; // values that are added to what it reads
};
std::optional<Reader> only_reader_of(const TypedKernel &kernel, const BlockSum &sum);

} // namespace atl::schedule
