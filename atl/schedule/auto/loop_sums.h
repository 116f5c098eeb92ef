// Strategies for cells that are long reductions, the best first.
#pragma once
#include "atl/schedule/auto/loop_subject.h"

namespace atl::schedule {

std::vector<Candidate> candidates_for_sums(const LoopSubject &subject);

} // namespace atl::schedule
