// What the machine can do at most.
#pragma once
#include "bench/row.h"

namespace atl::bench {

// So many floating-point operations of f32, as fused multiply-adds of the widest vectors of this CPU, in
// registers.
Contender peak(double operations);

} // namespace atl::bench
