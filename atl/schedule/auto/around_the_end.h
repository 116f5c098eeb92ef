// Cells whose indices wrap around at the end of a loop: those apart that do, the others in vectors.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/nest.h"

#include <optional>
#include <set>

namespace atl::schedule {

bool is_around_the_end(const Nest &nest, const rewrites::Work &work, Span span);

// Of all tensors with such cells, as one version is for the sizes for which few cells wrap around. What is
// scheduled later is for other sizes: so this comes last.
std::optional<Decision> around_the_end(const std::vector<Nest> &nests, const rewrites::Work &work, Span span,
                                       std::set<std::string> &decided);

} // namespace atl::schedule
