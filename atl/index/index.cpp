#include "atl/index/index.h"

#include "atl/base/check.h"

#include <utility>

namespace atl {

namespace {

Index node(IndexOp op, Index a, Index b) {
  return std::make_shared<const IndexNode>(IndexNode{op, 0, {}, std::move(a), std::move(b)});
}

bool is_binary(const Index &e) {
  return e->op != IndexOp::constant && e->op != IndexOp::variable;
}

std::optional<std::int64_t> checked(IndexOp op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  switch (op) {
  case IndexOp::add: return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case IndexOp::sub: return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case IndexOp::mul: return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case IndexOp::div: return b > 0 ? std::optional(floor_div(a, b)) : std::nullopt;
  case IndexOp::mod: return b > 0 ? std::optional(floor_mod(a, b)) : std::nullopt;
  case IndexOp::cdiv: // equal to (a + b - 1) / b, without the overflow
    return b > 0 ? std::optional(floor_div(a, b) + (floor_mod(a, b) != 0 ? 1 : 0)) : std::nullopt;
  case IndexOp::min: return std::min(a, b);
  case IndexOp::max: return std::max(a, b);
  case IndexOp::constant:
  case IndexOp::variable: break;
  }
  ATL_CHECK(false, "not a binary index operation");
}

// The operation on two constants, if its value fits.
std::optional<Index> fold(IndexOp op, const Index &a, const Index &b) {
  if (a->op != IndexOp::constant || b->op != IndexOp::constant)
    return std::nullopt;
  if (auto value = checked(op, a->value, b->value))
    return constant(*value);
  return std::nullopt;
}

bool is(const Index &e, std::int64_t value) {
  return e->op == IndexOp::constant && e->value == value;
}

bool is_comparison(PredOp op) {
  return op >= PredOp::lt && op <= PredOp::ne;
}

} // namespace

Index constant(std::int64_t value) {
  return std::make_shared<const IndexNode>(IndexNode{IndexOp::constant, value, {}, nullptr, nullptr});
}

Index variable(std::string name) {
  return std::make_shared<const IndexNode>(
      IndexNode{IndexOp::variable, 0, std::move(name), nullptr, nullptr});
}

Index binary(IndexOp op, Index a, Index b) {
  return node(op, std::move(a), std::move(b));
}

Index add(const Index &a, const Index &b) {
  if (is(a, 0))
    return b;
  if (is(b, 0))
    return a;
  return fold(IndexOp::add, a, b).value_or(node(IndexOp::add, a, b));
}

Index sub(const Index &a, const Index &b) {
  if (is(b, 0))
    return a;
  if (equal(a, b))
    return constant(0);
  return fold(IndexOp::sub, a, b).value_or(node(IndexOp::sub, a, b));
}

Index mul(const Index &a, const Index &b) {
  if (is(a, 1) || is(b, 0))
    return b;
  if (is(b, 1) || is(a, 0))
    return a;
  return fold(IndexOp::mul, a, b).value_or(node(IndexOp::mul, a, b));
}

// x * k / k is x: divisors are positive, which is an obligation of its own.
static bool is_multiple(const Index &a, const Index &k) {
  return a->op == IndexOp::mul && equal(a->b, k);
}

Index floor_div(const Index &a, const Index &b) {
  if (is_multiple(a, b))
    return a->a;
  return is(b, 1) ? a : fold(IndexOp::div, a, b).value_or(node(IndexOp::div, a, b));
}

Index ceil_div(const Index &a, const Index &b) {
  if (is_multiple(a, b))
    return a->a;
  return is(b, 1) ? a : fold(IndexOp::cdiv, a, b).value_or(node(IndexOp::cdiv, a, b));
}

Index modulo(const Index &a, const Index &b) {
  return is(b, 1) ? constant(0) : fold(IndexOp::mod, a, b).value_or(node(IndexOp::mod, a, b));
}

Pred truth(bool value) {
  return std::make_shared<const PredNode>(PredNode{PredOp::truth, value, nullptr, nullptr, nullptr, nullptr});
}

Pred compare(PredOp op, Index lhs, Index rhs) {
  ATL_CHECK(is_comparison(op), "not a comparison");
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

std::vector<Pred> conjuncts(const Pred &p) {
  if (p->op != PredOp::conj)
    return {p};
  std::vector<Pred> all = conjuncts(p->a), right = conjuncts(p->b);
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

Pred neg(const Pred &a) {
  if (a->op == PredOp::truth)
    return truth(!a->value);
  if (a->op == PredOp::neg)
    return a->a;
  return std::make_shared<const PredNode>(PredNode{PredOp::neg, true, nullptr, nullptr, a, nullptr});
}

PredOp mirrored(PredOp op) {
  switch (op) {
  case PredOp::lt: return PredOp::gt;
  case PredOp::le: return PredOp::ge;
  case PredOp::gt: return PredOp::lt;
  case PredOp::ge: return PredOp::le;
  default: return op;
  }
}

Pred in_range(const Index &lo, const Index &x, const Index &hi) {
  return conj(compare(PredOp::le, lo, x), compare(PredOp::lt, x, hi));
}

bool equal(const Index &a, const Index &b) {
  if (a == b)
    return true;
  if (a->op != b->op)
    return false;
  if (is_binary(a))
    return equal(a->a, b->a) && equal(a->b, b->b);
  return a->value == b->value && a->name == b->name;
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

Index substitute(const Index &e, const Subst &by) {
  if (e->op == IndexOp::constant)
    return e;
  if (e->op == IndexOp::variable) {
    auto found = by.find(e->name);
    return found == by.end() ? e : found->second;
  }
  Index a = substitute(e->a, by), b = substitute(e->b, by);
  if (a == e->a && b == e->b)
    return e;
  return fold(e->op, a, b).value_or(node(e->op, a, b));
}

Pred substitute(const Pred &p, const Subst &by) {
  if (p->op == PredOp::truth)
    return p;
  if (is_comparison(p->op))
    return compare(p->op, substitute(p->lhs, by), substitute(p->rhs, by));
  if (p->op == PredOp::neg)
    return neg(substitute(p->a, by));
  Pred a = substitute(p->a, by), b = substitute(p->b, by);
  return p->op == PredOp::conj ? conj(a, b) : disj(a, b);
}

void for_each_subexpression(const Index &e, const std::function<void(const Index &)> &visit) {
  if (is_binary(e)) {
    for_each_subexpression(e->a, visit);
    for_each_subexpression(e->b, visit);
  }
  visit(e);
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

Index without_remainders(const Index &e) {
  if (e->op == IndexOp::constant || e->op == IndexOp::variable)
    return e;
  Index a = without_remainders(e->a), b = without_remainders(e->b);
  return e->op == IndexOp::mod ? sub(a, mul(floor_div(a, b), b)) : binary(e->op, a, b);
}

Index row_major(const std::vector<Index> &extents, const std::vector<Index> &indices) {
  Index number = constant(0);
  for (std::size_t d = 0; d < indices.size(); ++d)
    number = add(mul(number, extents[d]), indices[d]);
  return number;
}

void collect_variables(const Index &e, std::set<std::string> &into) {
  for_each_subexpression(e, [&](const Index &part) {
    if (part->op == IndexOp::variable)
      into.insert(part->name);
  });
}

void collect_variables(const Pred &p, std::set<std::string> &into) {
  for_each_subexpression(p, [&](const Index &part) {
    if (part->op == IndexOp::variable)
      into.insert(part->name);
  });
}

bool mentions(const Index &e, const std::string &name) {
  std::set<std::string> names;
  collect_variables(e, names);
  return names.contains(name);
}

bool mentions(const Pred &p, const std::string &name) {
  std::set<std::string> names;
  collect_variables(p, names);
  return names.contains(name);
}

std::optional<std::int64_t> evaluate(const Index &e, const Valuation &values) {
  if (e->op == IndexOp::constant)
    return e->value;
  if (e->op == IndexOp::variable) {
    auto found = values.find(e->name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  auto a = evaluate(e->a, values), b = evaluate(e->b, values);
  return a && b ? checked(e->op, *a, *b) : std::nullopt;
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
  if (!x || !y)
    return std::nullopt;
  switch (p->op) {
  case PredOp::lt: return *x < *y;
  case PredOp::le: return *x <= *y;
  case PredOp::gt: return *x > *y;
  case PredOp::ge: return *x >= *y;
  case PredOp::eq: return *x == *y;
  default: return *x != *y;
  }
}

std::optional<std::int64_t> as_constant(const Index &e) {
  return evaluate(e, {});
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}

} // namespace atl
