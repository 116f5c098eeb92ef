// Steps on reductions.
#include "atl/schedule/steps/each.h"
#include "atl/schedule/steps/families.h"
#include "atl/syntax/names.h"

#include <set>

namespace atl::schedule {

namespace {

using namespace rewrites;

Refused rfactor(Work &work, const Path &loop, const std::optional<std::string> &part) {
  return factor_reduction(work, loop, part.value_or(work.fresh(root_name(work.kernel, loop) + ".part")));
}

// Each in one of its own: NAME, NAME_2, ...
Refused accumulate(Work &work, const std::vector<Path> &loops, const std::optional<std::string> &name) {
  const std::string first = name.value_or(work.fresh("acc"));
  std::set<std::string> taken = names_in(work.kernel);
  taken.insert(first);
  std::vector<std::string> names{first};
  while (names.size() < loops.size())
    names.push_back(take_name(first, taken));
  return at_each(loops, [&](const Path &loop) {
    const std::string own = names.back();
    names.pop_back();
    return bind_expression(work, loop, own);
  });
}

} // namespace

StepRows sum_steps() {
  return {
      step("accumulate [every] LOOP [as NAME]",
           "collects a reduction in a temporary, and copies it when it is complete", accumulate),
      step("rfactor LOOP [as NAME]",
           "computes partial results of a reduction, one for each iteration of LOOP, in a temporary",
           rfactor),
      step("shift LOOP by DISTANCE as NAME to COUNT",
           "makes a reduction run over NAME < COUNT, with LOOP = NAME + DISTANCE", change_variable),
      step("collapse LOOP", "replaces a reduction by its only term, where a guard fixes the value of LOOP",
           collapse_reduction),
      step("factor LOOP", "takes a factor that all terms of a sum share out of the sum", factor_out),
      step("absorb LOOP", "moves a factor of a sum into its terms", absorb_factor),
  };
}

} // namespace atl::schedule
