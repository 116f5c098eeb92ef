#include "atl/syntax/build.h"

#include "atl/base/check.h"
#include "atl/index/facts.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>

namespace atl {

namespace {

Index normal(const Index &e) {
  const Facts nothing_known; // not static: what it remembers is for one thread
  return nothing_known.simplify(e);
}

Type typed(const ExprPtr &of) {
  ATL_CHECK(of->type.has_value(), "a rewrite met an expression without a type");
  return *of->type;
}

Span span_of(const ExprPtr &e) {
  return e->span;
}

// The inverse pairs that builders leave behind cancel.
bool cancels(const ReshapeOp &op, const std::vector<Index> &args, const ExprPtr &child) {
  const Reshape *inner = std::get_if<Reshape>(&child->node);
  if (!inner)
    return false;
  if (&op == &transpose_op)
    return inner->op == &transpose_op;
  bool inverse = (&op == &raise_op && inner->op == &sink_op) || (&op == &sink_op && inner->op == &raise_op);
  return inverse && equal(args[0], inner->args[0]);
}

} // namespace

ExprPtr gen_of(const std::string &var, const Index &lo, const Index &hi, const ExprPtr &body) {
  return loop_of({std::nullopt, var, lo, hi, LoopMode::sequential}, body);
}

ExprPtr loop_of(const LoopHead &head, const ExprPtr &body) {
  Type type = typed(body);
  if (head.reduction)
    return make(Reduce{*head.reduction, head.var, head.lo, head.hi, body, head.mode}, span_of(body), type);
  type.shape.insert(type.shape.begin(), normal(sub(head.hi, head.lo)));
  return make(Gen{head.var, head.lo, head.hi, body, head.mode}, span_of(body), type);
}

ExprPtr guard_of(const Pred &pred, const ExprPtr &body) {
  if (pred->op == PredOp::truth && pred->value)
    return body;
  return make(Guard{pred, body}, span_of(body), typed(body));
}

ExprPtr let_of(const std::string &name, const ExprPtr &bound, const ExprPtr &body) {
  return make(Let{{name}, bound, body}, span_of(body), typed(body));
}

ExprPtr concat_of(const ExprPtr &left, const ExprPtr &right) {
  Type type = typed(left);
  type.shape.at(0) = normal(add(type.shape[0], typed(right).shape.at(0)));
  return make(Concat{left, right}, span_of(left), type);
}

ExprPtr reshape_of(const ReshapeOp &op, std::vector<Index> args, const ExprPtr &child) {
  bool moves = &op == &raise_op || &op == &sink_op;
  if (moves && as_constant(args[0]) == 0)
    return child;
  if (moves && as_constant(args[0]) == 1)
    return reshape_of(transpose_op, {}, child);
  if (cancels(op, args, child))
    return children(*child)[0];
  Type type = typed(child);
  type.shape = op.shape(args, type.shape);
  for (Index &extent : type.shape)
    extent = normal(extent);
  return make(Reshape{&op, std::move(args), child}, span_of(child), type);
}

ExprPtr access_of(const std::string &tensor, std::vector<Index> indices, Elem elem, Span span) {
  return make(Access{tensor, std::move(indices)}, span, Type{elem, {}});
}

ExprPtr retyped(const ExprPtr &e) {
  if (is_scalar_form(*e) && children(*e).empty())
    return e;
  std::vector<ExprPtr> kids;
  bool changed = false;
  for (const ExprPtr &child : children(*e)) {
    kids.push_back(retyped(child));
    changed = changed || kids.back() != child;
  }
  if (auto head = loop_head(e)) {
    ExprPtr loop = loop_of(*head, kids[0]);
    return make(loop->node, e->span, loop->type);
  }
  if (const Concat *c = std::get_if<Concat>(&e->node); c != nullptr) {
    ExprPtr concat = concat_of(kids[0], kids[1]);
    return make(concat->node, e->span, concat->type);
  }
  if (const Reshape *r = std::get_if<Reshape>(&e->node))
    return reshape_of(*r->op, r->args, kids[0]);
  ExprPtr same = changed ? rebuild(*e, kids) : e;
  if (std::holds_alternative<Guard>(e->node) || std::holds_alternative<Let>(e->node))
    return make(same->node, e->span, kids.back()->type);
  return same;
}

} // namespace atl
