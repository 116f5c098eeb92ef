// Cells that are computed from several reductions, as a cosine is, from one inside the terms of another, or
// from one that is the same in many cells: each becomes a temporary, which is then a nest that has
// strategies.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"

#include <optional>
#include <set>

namespace atl::schedule {

// Of the first tensor that is not in `decided`; what it is about is added there.
std::optional<Decision> several_sums_apart(const rewrites::Work &work, Span span,
                                           std::set<std::string> &decided);

} // namespace atl::schedule
