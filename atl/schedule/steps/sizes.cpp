// Steps that state what is known of the sizes of a kernel. What they state is an obligation, and the steps
// behind them may use it.
#include "atl/schedule/steps/families.h"

#include <algorithm>

namespace atl::schedule {

namespace {

using namespace rewrites;

// A fact that follows from the where clause, but that the compiler would not find by itself.
Refused bound(Work &work, const Pred &fact) {
  std::set<std::string> names;
  collect_variables(fact, names);
  std::vector<std::string> sizes = work.kernel.size_names();
  for (const std::string &name : names)
    if (std::find(sizes.begin(), sizes.end(), name) == sizes.end())
      return Refusal{name + " is not a size of the kernel"};
  std::string text = to_string(fact);
  work.require(known_in(work.kernel), fact, text, {text + " does not follow from the where clause"},
               "add `where " + text + "` to the kernel, or write `specialize when " + text + " { ... }`");
  work.kernel.assumptions.push_back(fact);
  return {};
}

Refused align(Work &work, const Index &size, const Index &factor) {
  work.require(known_in(work.kernel), compare(PredOp::ge, factor, constant(1)),
               "the factor " + to_string(factor) + " is positive", {"the factor is ", factor});
  return bound(work, compare(PredOp::eq, modulo(size, factor), constant(0)));
}

} // namespace

StepRows size_steps() {
  return {
      step_of_runner("specialize when CONDITION { ... }",
                     "makes a version for the sizes that satisfy a condition"),
      step("bound CONDITION", "states a condition on sizes that follows from the where clause", bound),
      step("align SIZE to FACTOR", "states that FACTOR divides SIZE", align),
  };
}

} // namespace atl::schedule
