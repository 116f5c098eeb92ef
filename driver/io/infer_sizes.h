// Sizes from shapes: extents that are linear in one size not yet known (N, N + 2, 2 * N, N + M with M known)
// are solved for it, until nothing new is learnt; then everything that is known is checked.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/tensor.h"
#include "atl/syntax/typed.h"

#include <string>
#include <vector>

namespace atl::driver {

// An extent as declared, and as it is.
struct Measured {
  std::string tensor;
  std::size_t dimension, rank;
  Index declared;
  std::int64_t actual;
};

// A value for every size of the kernel, such that all extents, where clauses and limits hold. E8005: a size
// is neither given nor inferred; E8006: a contradiction; E8009: the outputs cannot be held in memory.
Result<Valuation> infer_sizes(const TypedKernel &kernel, const Valuation &given,
                              const std::vector<Measured> &extents);

} // namespace atl::driver
