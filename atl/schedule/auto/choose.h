// Which strategies of lib/strategies.atl suit a kernel, as uses of its steps. Nothing here is trusted, or
// even likely to fit: what a schedule does not take, the next candidate replaces.
#pragma once
#include "atl/schedule/auto/nest.h"
#include "atl/syntax/hardware.h"
#include "atl/syntax/steps.h"

#include <string>
#include <vector>

namespace atl::schedule {

struct Candidate {
  std::string reason;
  std::vector<Step> steps;
};

// The best first. None: nothing is done. `hardware`: null for loops that C compilers make vectors of. `span`
// is that of the step `auto`.
std::vector<Candidate> candidates_for(const Nest &nest, const TypedKernel &kernel, const Hardware *hardware,
                                      Span span);

} // namespace atl::schedule
