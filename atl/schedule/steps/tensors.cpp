// Steps on tensors and temporaries: where they are computed, copied, and how they are laid out.
#include "atl/schedule/steps/families.h"

namespace atl::schedule {

namespace {

using namespace rewrites;

Refused compute_at_root(Work &work, const std::string &tensor) {
  return hoist_let(work, tensor, std::nullopt);
}

// Into the loops, or, where it is inside of one already, out to it.
Refused compute(Work &work, const std::string &tensor, const std::vector<Path> &loops) {
  auto let = find_let(work.kernel, tensor);
  bool inside = let && !let->outermost && loops.size() == 1 && let->path.is_inside(loops[0]);
  return inside ? hoist_let(work, tensor, loops[0]) : sink_let(work, tensor, loops);
}

// The name of the copy that a rewrite makes.
using Copying = Refused (*)(Work &, const std::string &tensor, const Path &loop, const std::string &copy);
Refused copy(Work &work, Copying rewrite, const std::string &tensor, const Path &loop,
             const std::string &copy) {
  if (names_in(work.kernel).contains(copy))
    return Refusal{copy + " is already a name of the program"};
  return rewrite(work, tensor, loop, copy);
}

template <Copying rewrite>
Refused copy_as(Work &work, const std::string &tensor, const Path &loop,
                const std::optional<std::string> &as) {
  return copy(work, rewrite, tensor, loop, as.value_or(work.fresh(tensor + ".s")));
}

Refused pack(Work &work, const std::string &tensor, const Path &loop, const std::optional<std::string> &as,
             const std::vector<Index> &dimensions) {
  const std::string name = as.value_or(work.fresh(tensor + ".s"));
  if (Refused refused = copy(work, stage_window, tensor, loop, name))
    return refused;
  return change_layout(work, name, dimensions);
}

} // namespace

StepRows tensor_steps() {
  return {
      step("compute TENSOR at root", "computes a temporary outside all loops", compute_at_root),
      step("compute TENSOR at [every] LOOP, [every] LOOP ...",
           "computes a temporary inside LOOP, as much of it as one iteration needs", compute),
      step("inline TENSOR", "computes a temporary again wherever it is read", inline_let),
      step("stage TENSOR at LOOP [as NAME]",
           "copies what one iteration reads of a tensor, and reads the copy", copy_as<stage_window>),
      step("pack TENSOR at LOOP [as NAME] to DIMENSION, DIMENSION ...",
           "copies what one iteration reads of a tensor, in another layout", pack),
      step("layout TENSOR to DIMENSION, DIMENSION ...",
           "reorders or splits the dimensions of a temporary: d1 / 16, d0, d1 % 16", change_layout),
      step("slide TENSOR by SUM",
           "makes one dimension of two, where a cell depends on their sum only: d0 + d1", slide_dimensions),
      step("bind TENSOR at LOOP [as NAME]",
           "keeps the one cell of a tensor that an iteration reads in a temporary", copy_as<bind_access>),
      step_of_runner(within_usage,
                     "applies steps to the loops of one tensor, where they do not say to which"),
      step("merge KEPT, DROPPED", "makes one temporary of two with the same expression", merge_lets),
  };
}

} // namespace atl::schedule
