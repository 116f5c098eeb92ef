// Strategies for one nest of loops: products and their like, other reductions, cells by themselves.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/machine.h"
#include "atl/schedule/auto/nest.h"

namespace atl::schedule {

// The best first.
std::vector<Candidate> candidates_for(const Nest &nest, const rewrites::Work &work, Span span);

} // namespace atl::schedule
