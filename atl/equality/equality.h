// That a scheduled kernel denotes what its algorithm denotes, as obligations of kind `equal`. Tensor by
// tensor: each temporary with a prophecy against that, reading the others through theirs; each output against
// the algorithm's output.
#pragma once
#include "atl/equality/denote.h"
#include "atl/equality/laws.h"
#include "atl/syntax/typed.h"

namespace atl::equality {

struct Equality {
  std::vector<Obligation> obligations;
  // Proved ones among these say that reductions combine in the algorithm's order. If those of floats are, and
  // no law of floats was used, results are the same bit by bit.
  std::vector<Obligation> order;
  std::vector<std::size_t> order_of_floats; // which of these are about floats
  Laws laws, laws_of_floats;                // that were used; that were used of floats
  std::vector<Renumbered> renumbered;
};

// Parameters of both are the same, in order; the algorithm's names are used. `span`: the place to complain
// at. `reindexing` is needed only where the indices of accesses do not tell which term of a reduction is
// which.
Equality equal_obligations(const TypedKernel &algorithm, const TypedKernel &scheduled,
                           const Prophecies &prophecies, Span span, const Reindexing &reindexing = {});

} // namespace atl::equality
