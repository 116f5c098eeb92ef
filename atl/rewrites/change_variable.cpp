// A reduction over another variable.
#include "atl/equality/reindex.h"
#include "atl/rewrites/gaps.h"

#include <fmt/format.h>

namespace atl::rewrites {

Refused change_variable(Work &work, const Path &path, const Index &distance, const std::string &name,
                        const Index &count) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (!loop.reduction)
    return Refusal{loop.var + " is not a reduction"};
  if (names_in(loop_body(e)).contains(name))
    return Refusal{"a loop inside is already called " + name};
  Index old = add(variable(name), distance);
  work.reindex(loop.var, old, {{name, sub(variable(loop.var), distance)}});
  LoopHead head{loop.reduction, name, constant(0), count, loop.mode};
  Known known = known_at(work.kernel, path);
  known.enter({head.var, head.lo, head.hi});
  Pred inside = in_range(loop.lo, old, loop.hi);
  ExprPtr body = guard_of(known.facts().simplify(inside), work.moved(loop_body(e), {{loop.var, old}}));
  replace(work.kernel, path, loop_of(head, body));
  return {};
}

namespace {

// The equations among the conditions directly inside a loop.
void equations_in(const Pred &p, std::vector<equality::Equation> &into) {
  if (p->op == PredOp::conj) {
    equations_in(p->a, into);
    equations_in(p->b, into);
  } else if (p->op == PredOp::eq) {
    into.push_back({p->lhs, p->rhs});
  }
}

ExprPtr with_guards_of_factors(const ExprPtr &e) {
  const Guard *g = std::get_if<Guard>(&e->node);
  return g ? guard_of(g->pred, with_guards_of_factors(g->body)) : guards_of_factors(e);
}

} // namespace

Refused collapse_reduction(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (!loop.reduction)
    return Refusal{loop.var + " is not a reduction"};
  std::vector<equality::Equation> equations;
  ExprPtr terms = with_guards_of_factors(loop_body(e));
  for (const Expr *inner = terms.get(); const Guard *g = std::get_if<Guard>(&inner->node);
       inner = g->body.get())
    equations_in(g->pred, equations);
  Known known = known_at(work.kernel, path);
  auto value = equality::solve({{loop.var, loop.lo, loop.hi, loop.var}}, equations, known.facts());
  if (!value)
    return Refusal{fmt::format("no condition directly inside {} says what {} is", loop.var, loop.var),
                   {{std::nullopt, fmt::format("that would be a guard such as [{} == ...]", loop.var)}}};
  const Index &only = value->at(loop.var);
  const TypedKernel before = work.kernel;
  ExprPtr body = guard_of(in_range(loop.lo, only, loop.hi), work.moved(terms, *value));
  replace(work.kernel, path, body);
  require_same_gaps(work, before, path);
  return {};
}

} // namespace atl::rewrites
