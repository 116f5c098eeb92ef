#include "atl/schedule/auto/loops.h"

#include "atl/schedule/auto/loop_cells.h"
#include "atl/schedule/auto/loop_sums.h"

namespace atl::schedule {

// Guards between the loops of a sum, into all of these; those further inside first.
static std::vector<Step> push_guards(const LoopSubject &s) {
  std::vector<Step> steps;
  for (auto guarded = s.nest.guarded_sums.rbegin(); guarded != s.nest.guarded_sums.rend(); ++guarded)
    for (std::size_t sum = *guarded; sum < s.sums.size(); ++sum)
      steps.push_back(plain_step("apply", {"push_guard", "at", s.sums[sum]}, s.span));
  return steps;
}

std::vector<Candidate> candidates_for(const Nest &nest, const rewrites::Work &work, Span span) {
  const LoopSubject subject = subject_of(nest, work, span);
  std::vector<Candidate> found =
      nest.sums.empty() ? candidates_for_cells(subject) : candidates_for_sums(subject);
  if (!nest.guarded_sums.empty())
    for (Candidate &candidate : found)
      candidate.steps.insert(candidate.steps.begin(), subject.of_tensor(push_guards(subject)));
  return found;
}

} // namespace atl::schedule
