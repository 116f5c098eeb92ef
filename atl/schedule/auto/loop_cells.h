// Strategies for cells without a long reduction.
#pragma once
#include "atl/schedule/auto/loop_subject.h"

namespace atl::schedule {

std::vector<Candidate> candidates_for_cells(const LoopSubject &subject);

} // namespace atl::schedule
