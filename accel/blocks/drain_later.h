// Stores of a temporary in a memory of rows, one iteration later than its values are computed.
#pragma once
#include "accel/blocks/overlap.h"

namespace atl::accel {

// Done as the kernel's schedule asks. `Requests::Drained` without `from` is for `drain`.
Result<bool> drain_later(lowering::LoopKernel &kernel, const Copies &copies, const Buffers &buffers);

} // namespace atl::accel
