// Which strategies of lib/strategies.atl suit a kernel, as uses of its steps. Nothing here is trusted, or
// even likely to fit: what a schedule does not take, the next candidate replaces.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"

#include <optional>
#include <set>

namespace atl::schedule {

// What is to be decided next of a kernel, as it is now; nothing: all is. `decided` is empty at first, and
// then belongs to these calls. Without hardware, strategies are for loops that C compilers make vectors of.
// `span` is that of the step `auto`.
std::optional<Decision> next_decision(const rewrites::Work &work, Span span, std::set<std::string> &decided);

} // namespace atl::schedule
