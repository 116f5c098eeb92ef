// What the machine can do at most.
#pragma once

namespace atl::bench {

// So many floating-point operations of f32, as fused multiply-adds of the widest vectors of this CPU, in
// registers.
void multiply_and_add(double operations);

} // namespace atl::bench
