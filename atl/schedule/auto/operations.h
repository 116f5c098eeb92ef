// How much work it is to compute a cell.
#pragma once
#include "atl/syntax/tree.h"

namespace atl::schedule {

// About how many simple operations on scalars. Many CPUs multiply vectors of long integers by several
// instructions; those of hardware that is described have one at least for those of 32 bits.
std::int64_t operations_in(const ExprPtr &e, bool on_any_cpu);

} // namespace atl::schedule
