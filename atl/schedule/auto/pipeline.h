// Kernels that compute a result from temporaries, cell by cell: stencils, image pipelines.
#pragma once
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/nest.h"
#include "atl/syntax/hardware.h"

#include <optional>
#include <set>

namespace atl::schedule {

// A temporary that is computed again wherever it is read, because that takes fewer operations than to store
// and load it; of those that are not in `decided`, the last one.
std::optional<Decision> inlined(const TypedKernel &kernel, const Hardware *hardware,
                                const std::set<std::string> &decided, Span span);

// All temporaries in strips of lines of the result, or in blocks. Nothing where the kernel has another
// structure.
std::optional<Decision> in_strips(const TypedKernel &kernel, const Hardware *hardware, Span span);

} // namespace atl::schedule
