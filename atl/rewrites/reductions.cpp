// Partial results of reductions in temporaries.
#include "atl/rewrites/gaps.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// The outermost of the reductions of one kind directly around a place.
Path outermost_reduction(const TypedKernel &kernel, Path path) {
  auto reduction = loop_head(at(kernel, path))->reduction;
  while (!path.steps.empty()) {
    auto around = loop_head(at(kernel, path.parent()));
    if (!around || around->reduction != reduction)
      break;
    path = path.parent();
  }
  return path;
}

// The reductions without the one named.
ExprPtr without(const ExprPtr &e, const std::string &var) {
  LoopHead head = *loop_head(e);
  return head.var == var ? loop_body(e) : loop_of(head, without(loop_body(e), var));
}

// Where a cell of a tensor is written at all: the guards on the way to its scalars, but for those that
// depend on a reduction or are inside a reshape, which mostly cuts off what they leave out.
Pred written_where(const ExprPtr &e, const std::vector<Index> &cell, const std::set<std::string> &reduced) {
  auto go_on = [&](const ExprPtr &inner, const std::vector<Index> &at) {
    return written_where(inner, at, reduced);
  };
  return match(
      e,
      [&](const Gen &g) {
        ExprPtr body = substitute(g.body, {{g.var, add(g.lo, cell.at(0))}});
        return go_on(body, {cell.begin() + 1, cell.end()});
      },
      [&](const Reduce &r) {
        std::set<std::string> inner = reduced;
        inner.insert(r.var);
        return written_where(r.body, cell, inner);
      },
      [&](const Guard &g) {
        bool known = std::none_of(reduced.begin(), reduced.end(),
                                  [&](const std::string &var) { return mentions(g.pred, var); });
        Pred inside = go_on(g.body, cell);
        return known ? conj(g.pred, inside) : inside;
      },
      [&](const Let &l) { return go_on(l.body, cell); },
      [&](const Concat &c) {
        const Index &begin = c.left->type->shape.at(0);
        std::vector<Index> right = cell;
        right[0] = sub(cell[0], begin);
        Pred left = go_on(c.left, cell), other = go_on(c.right, right);
        if (left->op == PredOp::truth && other->op == PredOp::truth)
          return truth(true);
        return disj(conj(compare(PredOp::lt, cell[0], begin), left),
                    conj(compare(PredOp::ge, cell[0], begin), other));
      },
      [](const auto &) { return truth(true); });
}

// gen c { [written] name[first, c] }, or without the guard: what is not written is then read as a value.
ExprPtr read_whole(const std::string &name, const ExprPtr &value, std::vector<Index> first,
                   std::set<std::string> taken, bool guarded = true) {
  const Shape &shape = value->type->shape;
  std::size_t given = first.size();
  std::vector<std::string> vars;
  for (std::size_t d = given; d < shape.size(); ++d) {
    vars.push_back(fresh_name(fmt::format("{}.c{}", name, vars.size()), taken));
    taken.insert(vars.back());
    first.push_back(variable(vars.back()));
  }
  ExprPtr result = access_of(name, first, value->type->elem, value->span);
  if (given == 0 && guarded)
    result = guard_of(written_where(value, first, {}), result);
  for (std::size_t d = vars.size(); d-- > 0;)
    result = gen_of(vars[d], constant(0), shape[given + d], result);
  return result;
}

} // namespace

Refused factor_reduction(Work &work, const Path &path, const std::string &part) {
  LoopHead kept = *loop_head(at(work.kernel, path));
  if (!kept.reduction)
    return Refusal{kept.var + " is not a reduction"};
  Path top = outermost_reduction(work.kernel, path);
  ExprPtr whole = at(work.kernel, top);
  for (ExprPtr e = whole; loop_head(e)->var != kept.var; e = loop_body(e))
    if (mentions(kept.lo, loop_head(e)->var) || mentions(kept.hi, loop_head(e)->var))
      return Refusal{fmt::format("the range of {} depends on {}", kept.var, loop_head(e)->var)};
  if (auto inner = loop_head(loop_body(at(work.kernel, path)));
      top == path && (!inner || inner->reduction != kept.reduction))
    return Refusal{
        fmt::format("{} is the only loop of its reduction", kept.var),
        {{std::nullopt, "split it first: one part stays, the other is summed up in the temporary"}}};
  std::string own = part + "." + kept.var;
  ExprPtr rest = work.moved(without(whole, kept.var), {{kept.var, variable(own)}});
  ExprPtr partial = gen_of(own, kept.lo, kept.hi, rest);
  ExprPtr sum =
      loop_of(kept, read_whole(part, partial, {sub(variable(kept.var), kept.lo)}, names_in(work.kernel)));
  replace(work.kernel, top, let_of(part, partial, sum));
  return {};
}

Refused bind_expression(Work &work, const Path &place, const std::string &name) {
  const TypedKernel before = work.kernel;
  const auto required_before = work.equalities;
  ExprPtr value = at(work.kernel, place);
  auto bind = [&](bool guarded) {
    work.kernel = before;
    replace(work.kernel, place,
            let_of(name, value, read_whole(name, value, {}, names_in(work.kernel), guarded)));
    return same_gaps(before, work.kernel, {place});
  };
  if (bind(true))
    return {};
  // Behind a false guard the temporary of a max holds -inf, and a guard around it would give 0. Where that is
  // seen, and not only cut off, the guard is left out.
  require_unseen_gaps(work, before);
  const bool is_seen =
      work.proves && !std::all_of(work.equalities.begin(), work.equalities.end(), work.proves);
  if (is_seen && bind(false))
    work.equalities = required_before;
  else
    bind(true);
  return {};
}

} // namespace atl::rewrites
