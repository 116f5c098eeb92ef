#include "atl/index/index.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"

#include <algorithm>
#include <utility>

namespace atl {

namespace {

bool is(const Index &e, std::int64_t value) {
  return e->op == IndexOp::constant && e->value == value;
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
  take_step();
  return std::make_shared<const IndexNode>(IndexNode{op, 0, {}, std::move(a), std::move(b)});
}

// The operation on two constants, if its value fits, is a constant.
static Index folded(IndexOp op, const Index &a, const Index &b) {
  if (a->op == IndexOp::constant && b->op == IndexOp::constant)
    if (auto value = info(op).value(a->value, b->value))
      return constant(*value);
  return binary(op, a, b);
}

// What a cell's row and column are of: e / d * d + e % d is e, for every e and d > 0. Null for other sums.
// Chains of reshapes would else mention an index twice as often after each of them.
static Index cell_of(const Index &row_begin, const Index &column) {
  if (row_begin->op != IndexOp::mul || row_begin->a->op != IndexOp::div || column->op != IndexOp::mod)
    return nullptr;
  const Index &e = column->a, &d = column->b, &row = row_begin->a;
  return equal(row->b, d) && equal(row_begin->b, d) && equal(row->a, e) ? e : nullptr;
}

Index add(const Index &a, const Index &b) {
  if (is(a, 0))
    return b;
  if (is(b, 0))
    return a;
  if (Index whole = cell_of(a, b))
    return whole;
  return folded(IndexOp::add, a, b);
}

Index sub(const Index &a, const Index &b) {
  if (is(b, 0))
    return a;
  if (equal(a, b))
    return constant(0);
  return folded(IndexOp::sub, a, b);
}

Index mul(const Index &a, const Index &b) {
  if (is(a, 1) || is(b, 0))
    return b;
  if (is(b, 1) || is(a, 0))
    return a;
  return folded(IndexOp::mul, a, b);
}

// x * k / k is x, and so is k * x / k: divisors are positive, which is an obligation of its own. Null where a
// is no such product.
static Index multiple_of(const Index &a, const Index &k) {
  if (a->op != IndexOp::mul)
    return nullptr;
  return equal(a->b, k) ? a->a : equal(a->a, k) ? a->b : nullptr;
}

Index floor_div(const Index &a, const Index &b) {
  if (Index times = multiple_of(a, b))
    return times;
  return is(b, 1) ? a : folded(IndexOp::div, a, b);
}

Index ceil_div(const Index &a, const Index &b) {
  if (Index times = multiple_of(a, b))
    return times;
  return is(b, 1) ? a : folded(IndexOp::cdiv, a, b);
}

Index modulo(const Index &a, const Index &b) {
  return is(b, 1) ? constant(0) : folded(IndexOp::mod, a, b);
}

bool equal(const Index &a, const Index &b) {
  if (a == b)
    return true;
  if (a->op != b->op)
    return false;
  if (!is_leaf(a))
    return equal(a->a, b->a) && equal(a->b, b->b);
  return a->value == b->value && a->name == b->name;
}

bool is_among(const Index &e, const std::vector<Index> &all) {
  return std::any_of(all.begin(), all.end(), [&](const Index &other) { return equal(other, e); });
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
  return folded(e->op, a, b);
}

Index replaced(const Index &e, const Index &part, const Index &by) {
  if (equal(e, part))
    return by;
  if (is_leaf(e))
    return e;
  Index a = replaced(e->a, part, by), b = replaced(e->b, part, by);
  return e->op == IndexOp::mul ? mul(a, b) : binary(e->op, a, b);
}

void for_each_subexpression(const Index &e, const std::function<void(const Index &)> &visit) {
  if (!is_leaf(e)) {
    for_each_subexpression(e->a, visit);
    for_each_subexpression(e->b, visit);
  }
  visit(e);
}

template <class Tree>
static bool has_variable_divisor(const Tree &tree) {
  bool found = false;
  for_each_subexpression(
      tree, [&](const Index &part) { found = found || (divides(part->op) && !as_constant(part->b)); });
  return found;
}

bool divides_by_a_variable(const Index &e) {
  return has_variable_divisor(e);
}

bool divides_by_a_variable(const Pred &p) {
  return has_variable_divisor(p);
}

Index without_remainders(const Index &e) {
  if (is_leaf(e))
    return e;
  Index a = without_remainders(e->a), b = without_remainders(e->b);
  return e->op == IndexOp::mod ? sub(a, mul(floor_div(a, b), b)) : binary(e->op, a, b);
}

Index row_major(const std::vector<Index> &extents, const std::vector<Index> &indices) {
  Index place = constant(0);
  for (std::size_t d = 0; d < indices.size(); ++d)
    place = add(mul(place, extents[d]), indices[d]);
  return place;
}

void collect_variables(const Index &e, std::set<std::string> &into) {
  for_each_subexpression(e, [&](const Index &part) {
    if (part->op == IndexOp::variable)
      into.insert(part->name);
  });
}

bool mentions(const Index &e, const std::string &name) {
  return is_leaf(e) ? is_variable(e, name) : mentions(e->a, name) || mentions(e->b, name);
}

std::optional<std::int64_t> evaluate(const Index &e, const Valuation &values) {
  if (e->op == IndexOp::constant)
    return e->value;
  if (e->op == IndexOp::variable) {
    auto found = values.find(e->name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  auto a = evaluate(e->a, values), b = evaluate(e->b, values);
  return a && b ? info(e->op).value(*a, *b) : std::nullopt;
}

std::optional<std::int64_t> as_constant(const Index &e) {
  return evaluate(e, {});
}

} // namespace atl
