#include "accel/lanes/forms.h"

#include "atl/index/solve.h"

#include <cmath>
#include <string_view>

namespace atl::accel {

namespace {

bool is_op(const ExprPtr &e, std::string_view name) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->op->name == name && op->args.size() == 2;
}

const ExprPtr &operand(const ExprPtr &e, std::size_t i) {
  return std::get<Op>(e->node).args[i];
}

ExprPtr apply(std::string_view name, std::vector<ExprPtr> args) {
  Span span = args[0]->span;
  std::optional<Type> type = args[0]->type;
  const ScalarOp *op = find_scalar_op(name, static_cast<int>(args.size()));
  return make(Op{op, std::move(args)}, span, type);
}

bool is_plain_zero(const ExprPtr &e) {
  const Literal *literal = std::get_if<Literal>(&e->node);
  return literal &&
         (literal->is_float ? literal->real == 0 && !std::signbit(literal->real) : literal->integer == 0);
}

} // namespace

std::vector<ExprPtr> rounded_once(const ExprPtr &e) {
  std::vector<ExprPtr> forms;
  const bool is_sum = is_op(e, "+"), is_difference = is_op(e, "-");
  if (!is_float(e->type->elem) || (!is_sum && !is_difference))
    return forms;
  const ExprPtr &left = operand(e, 0), &right = operand(e, 1);
  auto negative = [](const ExprPtr &of) { return apply("-", {of}); };
  auto fused = [&](const ExprPtr &a, const ExprPtr &b, const ExprPtr &c) {
    forms.push_back(apply("fma", {a, b, c}));
  };
  if (is_op(right, "*")) // c + a * b, c - a * b
    fused(is_sum ? operand(right, 0) : negative(operand(right, 0)), operand(right, 1), left);
  if (is_op(left, "*")) // a * b + c, a * b - c
    fused(operand(left, 0), operand(left, 1), is_sum ? right : negative(right));
  return forms;
}

ExprPtr masked_form(const ExprPtr &e, const Lanes &lanes) {
  const Select *select = std::get_if<Select>(&e->node);
  const Test *test = select ? std::get_if<Test>(&select->cond->node) : nullptr;
  if (!test || !is_plain_zero(select->otherwise))
    return e;
  Index active = constant(lanes.count);
  for (const Pred &part : conjuncts(test->pred)) {
    Index bound = upper_bound(part, lanes.lane, lanes.facts);
    if (!bound)
      return nullptr;
    active = binary(IndexOp::min, bound, active);
  }
  ExprPtr body = select->then;
  if (const Guard *inner = std::get_if<Guard>(&body->node)) { // of lanes that run at all
    Index bound = upper_bound(inner->pred, lanes.lane, lanes.facts);
    if (!bound)
      return nullptr;
    active = binary(IndexOp::min, bound, active);
    body = inner->body;
  }
  if (!lanes.facts.proves_nonnegative(active))
    active = binary(IndexOp::max, active, constant(0));
  Pred runs = compare(PredOp::lt, variable(lanes.lane), lanes.facts.simplify(active));
  return make(Guard{runs, body}, e->span, e->type);
}

} // namespace atl::accel
