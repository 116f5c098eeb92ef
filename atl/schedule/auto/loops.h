// Strategies for one nest of loops: products and their like, other reductions, cells by themselves.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/machine.h"
#include "atl/schedule/auto/nest.h"

namespace atl::schedule {

// The best first.
std::vector<Candidate> candidates_for(const Nest &nest, const rewrites::Work &work, Span span);

// Vectors for the elements with the most bytes, as others are converted to these.
std::optional<Vectors> vectors_for(const Nest &nest, const Hardware &hardware);

// At least half of the lanes have cells of the last loop: of fewer, C compilers do better.
bool fills_lanes(const Nest &nest, const Vectors &vectors);

std::vector<std::string> short_sums_of(const Nest &nest); // the names of their loops, each once

} // namespace atl::schedule
