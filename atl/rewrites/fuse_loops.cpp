#include "atl/rewrites/rewrites.h"
#include "atl/syntax/ops/reshape_op.h"

namespace atl::rewrites {

Refused fuse_loops(Work &work, const Path &path, const std::string &fused) {
  ExprPtr e = at(work.kernel, path);
  LoopHead outer = *loop_head(e);
  auto inner = loop_head(loop_body(e));
  if (!inner)
    return Refusal{"directly inside " + outer.var + " there is no loop",
                   {{std::nullopt, "bring the loops together with reorder"}}};
  if (inner->reduction != outer.reduction)
    return Refusal{"one of " + outer.var + " and " + inner->var +
                   " is a reduction, and the other is not, or another"};
  if (mentions(inner->lo, outer.var) || mentions(inner->hi, outer.var))
    return Refusal{"the range of " + inner->var + " depends on " + outer.var};
  ExprPtr body = loop_body(loop_body(e));
  if (names_in(body).contains(fused))
    return Refusal{"a loop inside is already called " + fused};
  Known known = known_at(work.kernel, path);
  Index rows = known.facts().simplify(sub(outer.hi, outer.lo));
  Index columns = known.facts().simplify(sub(inner->hi, inner->lo));
  // A fused loop over no columns has no iterations, but the shape of the result would divide by 0.
  if (!outer.reduction)
    work.require(known, compare(PredOp::ge, columns, constant(1)), inner->var + " has at least one iteration",
                 {inner->var + " has ", columns, " iterations"},
                 work.where_clause(compare(PredOp::ge, columns, constant(1))));
  else // the product of two negative numbers of iterations is positive
    work.require(known,
                 disj(compare(PredOp::ge, rows, constant(0)), compare(PredOp::ge, columns, constant(0))),
                 outer.var + " or " + inner->var + " runs from a lower to a higher number",
                 {outer.var + " runs from ", outer.lo, " to ", outer.hi, ", and " + inner->var + " from ",
                  inner->lo, " to ", inner->hi},
                 work.where_clause(compare(PredOp::ge, columns, constant(0))));
  Index f = variable(fused);
  Subst by{{outer.var, add(outer.lo, floor_div(f, columns))},
           {inner->var, add(inner->lo, modulo(f, columns))}};
  if (outer.reduction) {
    Index number =
        add(mul(sub(variable(outer.var), outer.lo), columns), sub(variable(inner->var), inner->lo));
    work.reindex(outer.var, by.at(outer.var), {{fused, number}});
    work.reindex(inner->var, by.at(inner->var), {});
  }
  LoopHead head{outer.reduction, fused, constant(0), known.facts().simplify(mul(rows, columns)), outer.mode};
  ExprPtr loop = loop_of(head, work.moved(body, by));
  replace(work.kernel, path, outer.reduction ? loop : reshape_of(split_op, {columns}, loop));
  return {};
}

Refused set_mode(Work &work, const Path &path, LoopMode mode) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (mode == LoopMode::unrolled) {
    Known known = known_at(work.kernel, path);
    Index count = known.facts().simplify(sub(loop.hi, loop.lo));
    if (!as_constant(count))
      return Refusal{"the number of iterations of " + loop.var + " is not constant: it is " +
                         to_string(count),
                     {{std::nullopt, "split " + loop.var + " by a constant, and unroll " + loop.var + ".i"}}};
  }
  loop.mode = mode;
  replace(work.kernel, path, loop_of(loop, loop_body(e)));
  return {};
}

} // namespace atl::rewrites
