// Rules that move guards and introduce reshapes which cancel each other.
#include "atl/index/solve.h"
#include "atl/rewrites/gaps.h"
#include "atl/syntax/ops/reshape_op.h"

#include <fmt/format.h>

namespace atl::rewrites {

namespace {

Refused not_a_gen(const LoopHead &loop) {
  return loop.reduction ? Refused(Refusal{loop.var + " is a reduction"}) : Refused();
}

// The reshapes, made by reshape_of, would cancel: they are put in place as they are.
ExprPtr around(const ReshapeOp &op, const std::vector<Index> &args, const ExprPtr &child) {
  Type type = *child->type;
  type.shape = op.shape(args, type.shape);
  return make(Reshape{&op, args, child}, child->span, type);
}

Refused pad(Work &work, const Path &path, const Index &count, const ReshapeOp &pad_op,
            const ReshapeOp &truncation) {
  ExprPtr e = at(work.kernel, path);
  if (Refused refused = not_a_gen(*loop_head(e)))
    return refused;
  work.require(known_at(work.kernel, path), compare(PredOp::ge, count, constant(0)),
               to_string(count) + " is not negative", {"the amount of padding is ", count});
  replace(work.kernel, path, around(truncation, {count}, around(pad_op, {count}, e)));
  return {};
}

} // namespace

Refused pull_guard(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  const Guard *g = std::get_if<Guard>(&loop_body(e)->node);
  if (!g)
    return Refusal{"there is no guard directly inside " + loop.var};
  if (mentions(g->pred, loop.var))
    return Refusal{fmt::format("the guard {} depends on {}", to_string(g->pred), loop.var)};
  const TypedKernel before = work.kernel;
  replace(work.kernel, path, guard_of(g->pred, loop_of(loop, g->body)));
  require_same_gaps(work, before, path);
  return {};
}

Refused push_guard(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  ExprPtr outside = path.steps.empty() ? nullptr : at(work.kernel, path.parent());
  const Guard *g = outside ? std::get_if<Guard>(&outside->node) : nullptr;
  if (!g)
    return Refusal{loop.var + " is not directly inside a guard"};
  const TypedKernel before = work.kernel;
  replace(work.kernel, path.parent(), loop_of(loop, guard_of(g->pred, loop_body(e))));
  require_same_gaps(work, before, path.parent());
  return {};
}

Refused state_range(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  Pred range = in_range(loop.lo, variable(loop.var), loop.hi);
  replace(work.kernel, path, loop_of(loop, guard_of(range, loop_body(e))));
  return {};
}

Refused narrow_range(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  const Guard *g = std::get_if<Guard>(&loop_body(e)->node);
  if (!loop.reduction)
    return Refusal{loop.var + " is not a reduction"};
  Facts facts = known_at(work.kernel, path).facts();
  Pred rest = truth(true);
  Index hi = loop.hi;
  for (const Pred &part : g ? conjuncts(g->pred) : std::vector<Pred>{})
    if (Index bound = upper_bound(part, loop.var, facts))
      hi = binary(IndexOp::min, hi, bound);
    else
      rest = conj(rest, part);
  if (hi == loop.hi)
    return Refusal{
        fmt::format("there is no guard directly inside {0} that {0} is less than something", loop.var)};
  loop.hi = facts.simplify(hi);
  replace(work.kernel, path, loop_of(loop, guard_of(rest, g->body)));
  return {};
}

Refused pad_right(Work &work, const Path &loop, const Index &count) {
  return pad(work, loop, count, padr_op, truncr_op);
}

Refused pad_left(Work &work, const Path &loop, const Index &count) {
  return pad(work, loop, count, padl_op, truncl_op);
}

} // namespace atl::rewrites
