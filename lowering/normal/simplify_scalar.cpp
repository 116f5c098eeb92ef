#include "lowering/normal/simplify_scalar.h"

#include "atl/syntax/tree.h"

namespace atl::lowering {

static ExprPtr bool_literal(bool value, Span span) {
  return make(Literal{false, value ? 1 : 0, 0, Elem::boolean}, span, Type{Elem::boolean, {}});
}

static ExprPtr under(const Pred &pred, const ExprPtr &e, const Facts &facts) {
  Facts more = facts;
  more.assume(pred);
  return simplify_scalar(e, more);
}

static ExprPtr simplify_select(const Select &select, const Expr &e, const Facts &facts) {
  ExprPtr cond = simplify_scalar(select.cond, facts);
  if (const Literal *known = std::get_if<Literal>(&cond->node))
    return simplify_scalar(known->integer != 0 ? select.then : select.otherwise, facts);
  return make(Select{cond, under(known_when(cond, true), select.then, facts),
                     under(known_when(cond, false), select.otherwise, facts)},
              e.span, e.type);
}

static ExprPtr simplify_op(const Op &op, const Expr &e, const Facts &facts) {
  std::vector<ExprPtr> args{simplify_scalar(op.args[0], facts)};
  for (std::size_t i = 1; i < op.args.size(); ++i)
    args.push_back(op.op->right_where ? under(known_when(args[0], *op.op->right_where), op.args[i], facts)
                                      : simplify_scalar(op.args[i], facts));
  return make(Op{op.op, args}, e.span, e.type);
}

ExprPtr simplify_scalar(const ExprPtr &e, const Facts &facts) {
  if (const Access *access = std::get_if<Access>(&e->node)) {
    std::vector<Index> indices;
    for (const Index &index : access->indices)
      indices.push_back(facts.simplify(index));
    return make(Access{access->tensor, std::move(indices)}, e->span, e->type);
  }
  if (const FromIndex *from = std::get_if<FromIndex>(&e->node))
    return make(FromIndex{from->to, facts.simplify(from->value)}, e->span, e->type);
  if (const Test *test = std::get_if<Test>(&e->node)) {
    Pred pred = facts.simplify(test->pred);
    return pred->op == PredOp::truth ? bool_literal(pred->value, e->span)
                                     : make(Test{pred}, e->span, e->type);
  }
  if (const Select *select = std::get_if<Select>(&e->node))
    return simplify_select(*select, *e, facts);
  if (const Op *op = std::get_if<Op>(&e->node))
    return simplify_op(*op, *e, facts);
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &child : kids)
    child = simplify_scalar(child, facts);
  return rebuild(*e, std::move(kids));
}

} // namespace atl::lowering
