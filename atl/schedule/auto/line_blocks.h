// Kernels with one temporary, of which a cell of the result needs some in its own column: a separable blur.
#pragma once
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/nest.h"
#include "atl/syntax/hardware.h"

#include <optional>

namespace atl::schedule {

// Blocks of lines and one vector, whose part of the temporary is in registers. Some of it is computed again
// for the next block. Nothing where that takes more than to store and load it, or the kernel has another
// structure.
std::optional<Candidate> in_blocks_of_lines(const TypedKernel &kernel, const std::vector<Nest> &nests,
                                            const Hardware &hardware, Span span);

} // namespace atl::schedule
