// Strategies for hardware whose instructions work on blocks of rows. They are in a file beside its
// description, NAME_strategies.atl, and have the names that docs/hardware.md lists.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"

#include <optional>
#include <set>

namespace atl::schedule {

// For the first sum of products that is not in `decided`, with what is computed from it.
std::optional<Decision> in_blocks(const rewrites::Work &work, const std::set<std::string> &decided,
                                  Span span);

} // namespace atl::schedule
