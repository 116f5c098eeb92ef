// Cells that are a reduction of reductions of another kind, such as the least of some sums, or of rows: those
// inside become a temporary for one cell at a time, and each of the two is then a nest that has strategies.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"

#include <optional>
#include <set>

namespace atl::schedule {

// Of the first tensor that is not in `decided`; what it is about is added there.
std::optional<Decision> inner_sums_apart(const rewrites::Work &work, Span span,
                                         std::set<std::string> &decided);

} // namespace atl::schedule
