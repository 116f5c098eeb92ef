// Upper bounds of extents over all iterations of the enclosing loops: how much memory a temporary needs, from
// the sizes alone.
#pragma once
#include "atl/index/known.h"

#include <optional>

namespace atl::lowering {

// At least every value of `extent` while `loops` (outermost first) run; in terms of what is not a loop
// variable.
std::optional<Index> upper_bound(const Index &extent, const std::vector<LoopRange> &loops,
                                 const Facts &facts);

} // namespace atl::lowering
