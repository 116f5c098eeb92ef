// A kernel as `auto` sees it: for each tensor that a nest of loops computes, the loops, the reduction inside,
// and what is read there. Names play no part, only structure.
#pragma once
#include "atl/syntax/tree.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace atl::schedule {

struct Nest {
  std::string tensor;              // a temporary, or a result
  Elem elem;                       // of the reduction, or of the cells
  std::vector<LoopHead> loops;     // one for each dimension, outermost first; none: a scalar, with long sums
  std::vector<LoopHead> sums = {}; // the reduction's, inside each other; none: cells have no long one
  bool cells_are_sums = false;     // a cell is the reduction, and nothing else
  std::vector<LoopHead> short_sums = {}; // of reductions with few terms, which may be written out
  std::vector<LoopHead> window = {};     // those, if they are two, directly inside each other
  bool weighs = false;                   // the terms of the window are products
  std::vector<Access> reads = {};        // by the terms of the reduction; of all, if there is none
  std::set<Elem> elems = {};             // the types of all that is computed
  bool is_inside = false;                // it is computed inside of the loops of another tensor
  bool skips_sums = false; // a guard that does not depend on the sums decides whether there are terms
  std::vector<std::size_t> guarded_sums = {}; // those that have a guard directly around them
  std::optional<std::int64_t> period = {};    // of the last loop: by it indices divide, and it is short
  bool calls = false;                         // a term takes a function of the C library
  bool varies = true;                         // the reduction depends on all loops
};

// Those that `auto` knows what to do with, in the order in which they are computed. Others have loops or
// temporaries that are tensors inside of the loops, parts that are computed by loops of their own, or several
// long reductions.
std::vector<Nest> nests_of(const TypedKernel &kernel);

// For each tensor that has several long reductions in a cell, or one that is the same in many cells, a nest
// for each of these, but for those with others inside.
std::vector<std::vector<Nest>> reductions_of_cells(const TypedKernel &kernel);

// Those of tensors that have temporaries inside of their loops, as the rows of a softmax: of these
// temporaries, and of what is computed from them.
std::vector<Nest> nests_with_temporaries(const TypedKernel &kernel);

std::vector<std::string> short_sums_of(const Nest &nest); // the names of their loops, each once

} // namespace atl::schedule
