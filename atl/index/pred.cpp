#include "atl/base/check.h"
#include "atl/base/deadline.h"
#include "atl/index/index.h"

#include <algorithm>
#include <utility>

namespace atl {

Pred truth(bool value) {
  return std::make_shared<const PredNode>(PredNode{PredOp::truth, value, nullptr, nullptr, nullptr, nullptr});
}

Pred compare(PredOp op, Index lhs, Index rhs) {
  ATL_CHECK(is_comparison(op), "not a comparison");
  take_step();
  return std::make_shared<const PredNode>(
      PredNode{op, true, std::move(lhs), std::move(rhs), nullptr, nullptr});
}

Pred conj(const Pred &a, const Pred &b) {
  if (a->op == PredOp::truth)
    return a->value ? b : a;
  if (b->op == PredOp::truth)
    return b->value ? a : b;
  return std::make_shared<const PredNode>(PredNode{PredOp::conj, true, nullptr, nullptr, a, b});
}

Pred conj(const std::vector<Pred> &all) {
  Pred result = truth(true);
  for (const Pred &p : all)
    result = conj(result, p);
  return result;
}

Pred disj(const Pred &a, const Pred &b) {
  if (a->op == PredOp::truth)
    return a->value ? a : b;
  if (b->op == PredOp::truth)
    return b->value ? b : a;
  return std::make_shared<const PredNode>(PredNode{PredOp::disj, true, nullptr, nullptr, a, b});
}

static void collect_conjuncts(const Pred &p, std::vector<Pred> &into) {
  if (p->op != PredOp::conj) {
    into.push_back(p);
    return;
  }
  collect_conjuncts(p->a, into);
  collect_conjuncts(p->b, into);
}

std::vector<Pred> conjuncts(const Pred &p) {
  std::vector<Pred> all;
  collect_conjuncts(p, all);
  return all;
}

Pred neg(const Pred &a) {
  if (a->op == PredOp::truth)
    return truth(!a->value);
  if (a->op == PredOp::neg)
    return a->a;
  return std::make_shared<const PredNode>(PredNode{PredOp::neg, true, nullptr, nullptr, a, nullptr});
}

Pred in_range(const Index &lo, const Index &x, const Index &hi) {
  return conj(compare(PredOp::le, lo, x), compare(PredOp::lt, x, hi));
}

bool equal(const Pred &a, const Pred &b) {
  if (a == b)
    return true;
  if (a->op != b->op || a->value != b->value)
    return false;
  if (is_comparison(a->op))
    return equal(a->lhs, b->lhs) && equal(a->rhs, b->rhs);
  if (a->op == PredOp::truth)
    return true;
  return equal(a->a, b->a) && (a->op == PredOp::neg || equal(a->b, b->b));
}

bool is_among(const Pred &p, const std::vector<Pred> &all) {
  return std::any_of(all.begin(), all.end(), [&](const Pred &other) { return equal(other, p); });
}

Pred with_indices(const Pred &p, const IndexMap &f) {
  if (p->op == PredOp::truth)
    return p;
  if (is_comparison(p->op)) {
    Index lhs = f(p->lhs), rhs = f(p->rhs); // in this order, whatever the compiler
    return compare(p->op, lhs, rhs);
  }
  Pred a = with_indices(p->a, f);
  if (p->op == PredOp::neg)
    return neg(a);
  Pred b = with_indices(p->b, f);
  return p->op == PredOp::conj ? conj(a, b) : disj(a, b);
}

Pred substitute(const Pred &p, const Subst &by) {
  return with_indices(p, [&](const Index &e) { return substitute(e, by); });
}

Pred replaced(const Pred &p, const Index &part, const Index &by) {
  return with_indices(p, [&](const Index &e) { return replaced(e, part, by); });
}

// Negations pushed to the comparisons, where they vanish.
Pred positive_form(const Pred &p) {
  if (p->op == PredOp::conj || p->op == PredOp::disj) {
    Pred a = positive_form(p->a), b = positive_form(p->b);
    return p->op == PredOp::conj ? conj(a, b) : disj(a, b);
  }
  if (p->op != PredOp::neg)
    return p;
  const Pred &inner = p->a;
  switch (inner->op) {
  case PredOp::truth: return truth(!inner->value);
  case PredOp::neg: return positive_form(inner->a);
  case PredOp::conj: return disj(positive_form(neg(inner->a)), positive_form(neg(inner->b)));
  case PredOp::disj: return conj(positive_form(neg(inner->a)), positive_form(neg(inner->b)));
  default: return compare(comparison(inner->op).opposite, inner->lhs, inner->rhs);
  }
}

void for_each_subexpression(const Pred &p, const std::function<void(const Index &)> &visit) {
  if (p->lhs) {
    for_each_subexpression(p->lhs, visit);
    for_each_subexpression(p->rhs, visit);
  }
  if (p->a)
    for_each_subexpression(p->a, visit);
  if (p->b)
    for_each_subexpression(p->b, visit);
}

void collect_variables(const Pred &p, std::set<std::string> &into) {
  for (const Index &side : {p->lhs, p->rhs})
    if (side)
      collect_variables(side, into);
  for (const Pred &part : {p->a, p->b})
    if (part)
      collect_variables(part, into);
}

bool mentions(const Pred &p, const std::string &name) {
  return (p->lhs && (mentions(p->lhs, name) || mentions(p->rhs, name))) || (p->a && mentions(p->a, name)) ||
         (p->b && mentions(p->b, name));
}

std::optional<bool> evaluate(const Pred &p, const Valuation &values) {
  switch (p->op) {
  case PredOp::truth: return p->value;
  case PredOp::neg: {
    auto a = evaluate(p->a, values);
    return a ? std::optional(!*a) : std::nullopt;
  }
  case PredOp::conj:
  case PredOp::disj: { // the right side is evaluated only where the left does not decide
    auto a = evaluate(p->a, values);
    bool decided = p->op == PredOp::disj;
    return !a || *a == decided ? a : evaluate(p->b, values);
  }
  default: break;
  }
  auto x = evaluate(p->lhs, values), y = evaluate(p->rhs, values);
  return x && y ? std::optional(holds(p->op, *x, *y)) : std::nullopt;
}

} // namespace atl
