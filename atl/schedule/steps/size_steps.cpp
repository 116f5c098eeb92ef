#include "atl/schedule/steps/size_steps.h"

#include <algorithm>

namespace atl::schedule {

// A fact that follows from the where clause, but that the compiler would not find by itself.
static void state_fact(Arguments &in, rewrites::Work &work, const Pred &fact) {
  std::set<std::string> names;
  collect_variables(fact, names);
  std::vector<std::string> sizes = work.kernel.size_names();
  for (const std::string &name : names)
    if (std::find(sizes.begin(), sizes.end(), name) == sizes.end())
      return in.fail(name + " is not a size of the kernel");
  std::string text = to_string(fact);
  work.require(known_in(work.kernel), fact, text, {text + " does not follow from the where clause"},
               "add `where " + text + "` to the kernel, or write `specialize when " + text + " { ... }`");
  work.kernel.assumptions.push_back(fact);
}

void bound(Arguments &in, rewrites::Work &work) {
  Pred fact = in.condition();
  in.end();
  if (!in.failed())
    state_fact(in, work, fact);
}

void align(Arguments &in, rewrites::Work &work) {
  Index size = in.index();
  in.expect("to");
  Index factor = in.index();
  in.end();
  if (in.failed())
    return;
  work.require(known_in(work.kernel), compare(PredOp::ge, factor, constant(1)),
               "the factor " + to_string(factor) + " is positive", {"the factor is ", factor});
  state_fact(in, work, compare(PredOp::eq, modulo(size, factor), constant(0)));
}

} // namespace atl::schedule
