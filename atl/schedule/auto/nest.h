// A kernel as `auto` sees it: for each tensor that a nest of loops computes, the loops, the reduction inside,
// and what is read there. Names play no part, only structure.
#pragma once
#include "atl/syntax/tree.h"

#include <string>
#include <vector>

namespace atl::schedule {

struct Nest {
  std::string tensor;          // of a temporary outside of all loops, or of a result
  Elem elem;                   // of the reduction, or of the cells
  std::vector<LoopHead> loops; // one for each dimension, outermost first; none: a scalar, with long sums
  std::vector<LoopHead> sums;  // the reduction's, directly inside each other; none: cells have no long one
  std::vector<LoopHead> short_sums; // of reductions with few terms, which may be written out
  std::vector<Access> reads;        // by the terms of the reduction; of all, if there is none
};

// Those that `auto` knows what to do with, in the order in which they are computed. Others have loops or
// temporaries that are tensors inside of the loops, parts that are computed by loops of their own, or several
// long reductions.
std::vector<Nest> nests_of(const TypedKernel &kernel);

} // namespace atl::schedule
