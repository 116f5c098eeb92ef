#include "atl/equality/denote.h"

#include "atl/base/check.h"
#include "atl/syntax/names.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>

namespace atl::equality {

namespace {

std::vector<Index> substituted(std::vector<Index> list, const Subst &by) {
  for (Index &e : list)
    e = substitute(e, by);
  return list;
}

ScopePtr with_variable(const ScopePtr &scope, const std::string &name, Index value) {
  Scope inner = *scope;
  inner.variables[name] = std::move(value);
  return std::make_shared<const Scope>(std::move(inner));
}

} // namespace

Prophecy itself(const std::string &tensor, std::size_t rank) {
  Prophecy p{tensor, {}, {}};
  for (std::size_t d = 0; d < rank; ++d) {
    p.cell.push_back(tensor + ".cell" + std::to_string(d));
    p.indices.push_back(variable(p.cell.back()));
  }
  return p;
}

Prophecies themselves(const TypedKernel &kernel) {
  Prophecies prophecies;
  for (const Binding &let : kernel.lets)
    prophecies[let.name] = itself(let.name, let.value->type->shape.size());
  return prophecies;
}

Prophecy substitute(Prophecy p, const Subst &by) {
  p.indices = substituted(std::move(p.indices), by);
  p.valid = atl::substitute(p.valid, by);
  p.known = atl::substitute(p.known, by);
  return p;
}

Prophecy renumbered(Prophecy p, const std::vector<std::string> &cell, const std::vector<Index> &was) {
  Subst by;
  for (std::size_t d = 0; d < p.cell.size(); ++d)
    by[p.cell[d]] = was.at(d);
  p.cell = cell;
  return substitute(std::move(p), by);
}

// A value that nobody may count on: it is equal to nothing.
static PointPtr unknown_value() {
  return read("what fills up a tile", {});
}

static ExprPtr literal(const Scalar &value, Span span) {
  return make(Literal{is_float(value.elem), value.integer, value.real, value.elem}, span,
              Type{value.elem, {}});
}

static ExprPtr zero_literal(const ExprPtr &e) {
  return literal(zero(e->type->elem), e->span);
}

ExprPtr unwritten_value(const ExprPtr &part, std::optional<Reduction> filling) {
  return filling ? literal(neutral(*filling, part->type->elem), part->span) : zero_literal(part);
}

ExprPtr unwritten_value(const ExprPtr &tensor) {
  return unwritten_value(tensor, filling_reduction(tensor));
}

std::string Denoter::fresh(const std::string &name) {
  return take_name(name, taken_);
}

ScopePtr Denoter::bind(const std::string &name, const ExprPtr &value, const ScopePtr &scope) const {
  Scope inner = *scope;
  auto prophecy = prophecies_.find(name);
  if (scope->scheduled && prophecy != prophecies_.end())
    inner.lets[name] = {Bound::Kind::prophecy, value, nullptr, &prophecy->second, scope->variables};
  else
    inner.lets[name] = {Bound::Kind::definition, value, scope, nullptr, {}};
  return std::make_shared<const Scope>(std::move(inner));
}

PointPtr Denoter::value(const ExprPtr &tensor, const std::vector<Index> &indices, const ScopePtr &scope) {
  Scope own = *scope;
  own.filling = filling_reduction(tensor);
  return value_of(cell(tensor, indices, std::make_shared<const Scope>(std::move(own))),
                  unwritten_value(tensor));
}

PointPtr Denoter::cell(const ExprPtr &e, const std::vector<Index> &indices, const ScopePtr &scope) {
  std::vector<Index> rest(indices.begin() + (indices.empty() ? 0 : 1), indices.end());
  auto closed = [&](const Index &i) { return substitute(i, scope->variables); };
  return match(
      e,
      [&](const Gen &g) {
        return cell(g.body, rest, with_variable(scope, g.var, add(closed(g.lo), indices.at(0))));
      },
      [&](const Reduce &r) { return reduced(r, e, indices, scope); },
      [&](const Guard &g) {
        return choose(substitute(g.pred, scope->variables), cell(g.body, indices, scope), nothing());
      },
      [&](const Let &l) { return cell(l.body, indices, bind(l.names.at(0), l.bound, scope)); },
      [&](const Concat &c) {
        Index seam = closed(c.left->type->shape.at(0));
        std::vector<Index> right = indices;
        right.at(0) = sub(indices.at(0), seam);
        PointPtr before = cell(c.left, indices, scope);
        PointPtr behind = cell(c.right, right, scope);
        return choose(compare(PredOp::lt, indices[0], seam), std::move(before), std::move(behind));
      },
      [&](const Reshape &r) { return reshaped(r, indices, scope); },
      [&](const auto &) { return scalar(e, scope); });
}

// A reduction of another kind than that which fills the tensor has its own accumulator: without terms it has
// its neutral value.
PointPtr Denoter::reduced(const Reduce &r, const ExprPtr &e, const std::vector<Index> &indices,
                          const ScopePtr &scope) {
  std::string var = fresh(r.var);
  Scope inner = *with_variable(scope, r.var, variable(var));
  inner.filling = r.reduction;
  PointPtr body = cell(r.body, indices, std::make_shared<const Scope>(std::move(inner)));
  FoldVar loop{var, substitute(r.lo, scope->variables), substitute(r.hi, scope->variables), r.var};
  PointPtr result = fold(r.reduction, is_float(e->type->elem), std::move(loop), std::move(body));
  return scope->filling.value_or(r.reduction) == r.reduction ? result : value_of(result, unwritten_value(e));
}

PointPtr Denoter::reshaped(const Reshape &r, const std::vector<Index> &indices, const ScopePtr &scope) {
  Args args = substituted(r.args, scope->variables);
  Shape child = substituted(r.child->type->shape, scope->variables);
  Pullback from = r.op->pull(args, child, indices);
  return choose(from.inside, cell(r.child, from.indices, scope), nothing());
}

// The value of a scalar expression; tensor forms inside it are read at their only cell.
PointPtr Denoter::scalar(const ExprPtr &e, const ScopePtr &scope) {
  if (const Guard *g = std::get_if<Guard>(&e->node)) // a value inside arithmetic: 0 where it is false
    return choose(substitute(g->pred, scope->variables), scalar(g->body, scope), apply(zero_literal(e), {}));
  if (const Let *l = std::get_if<Let>(&e->node))
    return scalar(l->body, bind(l->names.at(0), l->bound, scope));
  if (!is_scalar_form(*e))
    return value(e, {}, scope);
  if (const Access *a = std::get_if<Access>(&e->node))
    return access(*a, scope);
  const Select *select = std::get_if<Select>(&e->node);
  if (const Test *test = select ? std::get_if<Test>(&select->cond->node) : nullptr) {
    PointPtr then = scalar(select->then, scope);
    PointPtr otherwise = scalar(select->otherwise, scope);
    return choose(substitute(test->pred, scope->variables), std::move(then), std::move(otherwise));
  }
  std::vector<PointPtr> args;
  for (const ExprPtr &child : children(*e))
    args.push_back(scalar(child, scope));
  return apply(form_at(e, scope->variables), std::move(args));
}

PointPtr Denoter::access(const Access &a, const ScopePtr &scope) {
  std::vector<Index> indices = substituted(a.indices, scope->variables);
  auto bound = scope->lets.find(a.tensor);
  if (bound == scope->lets.end())
    return read(a.tensor, std::move(indices)); // an input
  const Bound &let = bound->second;
  switch (let.kind) {
  case Bound::Kind::opaque: return read(a.tensor, std::move(indices));
  case Bound::Kind::definition: return complete(value(let.value, indices, let.scope));
  case Bound::Kind::prophecy: break;
  }
  const Prophecy &prophecy = *let.prophecy;
  Subst at = let.variables;
  for (std::size_t d = 0; d < indices.size(); ++d)
    at[prophecy.cell.at(d)] = indices[d];
  Prophecy here = substitute(prophecy, at);
  PointPtr held = choose(here.valid, read(here.tensor, std::move(here.indices)), nothing());
  return choose(here.known, value_of(held, unwritten_value(let.value)), unknown_value());
}

} // namespace atl::equality
