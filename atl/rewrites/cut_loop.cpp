#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

namespace {

// The place, or the end of the loop that is nearer.
Index nearest_place(const LoopHead &loop, const Index &place, const Facts &facts) {
  Index from =
      facts.proves(compare(PredOp::le, loop.lo, place)) ? place : binary(IndexOp::max, place, loop.lo);
  return facts.simplify(binary(IndexOp::min, from, loop.hi));
}

// The range of a reduction may be negative, which means that it is empty: both parts then are, too.
Pred between(const LoopHead &loop, const Index &place) {
  Pred inside = conj(compare(PredOp::le, loop.lo, place), compare(PredOp::le, place, loop.hi));
  return loop.reduction
             ? disj(inside, conj(compare(PredOp::le, loop.hi, place), compare(PredOp::le, place, loop.lo)))
             : inside;
}

void require_inside(Work &work, const Known &known, const LoopHead &loop, const Index &place) {
  work.require(known, between(loop, place), loop.var + " can be cut at " + to_string(place),
               {loop.var + " runs from ", loop.lo, " to ", loop.hi, ", and is cut at ", place},
               "write `cut " + loop.var + " at " + to_string(nearest_place(loop, place, known.facts())) +
                   "`");
}

} // namespace

Refused cut_loop(Work &work, const Path &path, const Index &place, const std::string &first,
                 const std::string &second) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (loop.reduction)
    return Refusal{loop.var + " is a reduction: its parts are not two loops, but two iterations of one"};
  for (const std::string &name : {first, second})
    if (names_in(loop_body(e)).contains(name))
      return Refusal{"a loop inside is already called " + name};
  require_inside(work, known_at(work.kernel, path), loop, place);
  ExprPtr rest = work.copied(loop_body(e), {{loop.var, variable(second)}});
  ExprPtr main = work.moved(loop_body(e), {{loop.var, variable(first)}});
  replace(work.kernel, path,
          concat_of(loop_of({std::nullopt, first, loop.lo, place, loop.mode}, main),
                    loop_of({std::nullopt, second, place, loop.hi, loop.mode}, rest)));
  return {};
}

Refused cut_reduction(Work &work, const Path &path, const Index &place, const std::string &part) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (names_in(e).contains(part))
    return Refusal{"a loop here is already called " + part};
  require_inside(work, known_at(work.kernel, path), loop, place);
  Index which = variable(part);
  LoopHead parts{loop.reduction, part, constant(0), constant(2), LoopMode::unrolled};
  LoopHead inner{loop.reduction, loop.var, add(loop.lo, mul(which, sub(place, loop.lo))),
                 add(place, mul(which, sub(loop.hi, place))), loop.mode};
  Index k = variable(loop.var), behind = add(sub(k, place), constant(1));
  work.reindex(
      loop.var, k,
      {{part, binary(IndexOp::min, binary(IndexOp::max, behind, constant(0)), constant(1))}, {loop.var, k}});
  replace(work.kernel, path, loop_of(parts, loop_of(inner, loop_body(e))));
  return {};
}

} // namespace atl::rewrites
