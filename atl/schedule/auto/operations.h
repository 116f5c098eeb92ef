// How much work it is to compute a cell.
#pragma once
#include "atl/syntax/tree.h"

namespace atl::schedule {

constexpr std::int64_t operations_for_a_store = 12; // that are done again, rather than to store and load

// About how many simple operations on scalars. Many CPUs multiply vectors of long integers by several
// instructions; those of hardware that is described have one at least for those of 32 bits.
std::int64_t operations_in(const ExprPtr &e, bool on_any_cpu);

} // namespace atl::schedule
