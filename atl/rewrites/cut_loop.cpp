#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

Refused cut_loop(Work &work, const Path &path, const Index &place, const std::string &first,
                 const std::string &second) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (loop.reduction)
    return Refusal{"a reduction cannot be cut in two: its parts would be two reductions"};
  for (const std::string &name : {first, second})
    if (names_in(loop_body(e)).contains(name))
      return Refusal{"a loop inside is already called " + name};
  Context context = context_at(work.kernel, path);
  Pred inside = conj(compare(PredOp::le, loop.lo, place), compare(PredOp::le, place, loop.hi));
  work.require(context, inside, loop.var + " can be cut at " + to_string(place),
               {loop.var + " runs from ", loop.lo, " to ", loop.hi, ", and is cut at ", place},
               "write `cut " + loop.var + " at min(" + to_string(place) + ", " + to_string(loop.hi) + ")`");
  auto part = [&](const std::string &name, const Index &lo, const Index &hi) {
    LoopHead head{std::nullopt, name, lo, hi, loop.mode};
    return loop_of(head, substitute(loop_body(e), {{loop.var, variable(name)}}));
  };
  replace(work.kernel, path, concat_of(part(first, loop.lo, place), part(second, place, loop.hi)));
  return {};
}

} // namespace atl::rewrites
