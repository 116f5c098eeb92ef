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
  ExprPtr rest = work.copied(loop_body(e), {{loop.var, variable(second)}});
  ExprPtr main = work.moved(loop_body(e), {{loop.var, variable(first)}});
  replace(work.kernel, path,
          concat_of(loop_of({std::nullopt, first, loop.lo, place, loop.mode}, main),
                    loop_of({std::nullopt, second, place, loop.hi, loop.mode}, rest)));
  return {};
}

} // namespace atl::rewrites
