#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

namespace {

// The place, or the end of the loop that is nearer.
Index nearest_place(const LoopHead &loop, const Index &place, const Facts &facts) {
  Index from =
      facts.proves(compare(PredOp::le, loop.lo, place)) ? place : binary(IndexOp::max, place, loop.lo);
  return facts.simplify(binary(IndexOp::min, from, loop.hi));
}

} // namespace

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
               "write `cut " + loop.var + " at " + to_string(nearest_place(loop, place, context.facts)) +
                   "`");
  ExprPtr rest = work.copied(loop_body(e), {{loop.var, variable(second)}});
  ExprPtr main = work.moved(loop_body(e), {{loop.var, variable(first)}});
  replace(work.kernel, path,
          concat_of(loop_of({std::nullopt, first, loop.lo, place, loop.mode}, main),
                    loop_of({std::nullopt, second, place, loop.hi, loop.mode}, rest)));
  return {};
}

} // namespace atl::rewrites
