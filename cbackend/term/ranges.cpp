#include "cbackend/term/ranges.h"

#include "atl/base/check.h"

#include <algorithm>
#include <limits>

namespace atl::cbackend {

namespace {

using Range = std::optional<Interval>;
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

Range add(Interval a, Interval b) {
  Interval r{};
  bool overflows = __builtin_add_overflow(a.lo, b.lo, &r.lo) || __builtin_add_overflow(a.hi, b.hi, &r.hi);
  return overflows ? Range{} : r;
}

Range subtract(Interval a, Interval b) {
  Interval r{};
  bool overflows = __builtin_sub_overflow(a.lo, b.hi, &r.lo) || __builtin_sub_overflow(a.hi, b.lo, &r.hi);
  return overflows ? Range{} : r;
}

Range multiply(Interval a, Interval b) {
  std::int64_t corners[4];
  bool overflows =
      __builtin_mul_overflow(a.lo, b.lo, &corners[0]) || __builtin_mul_overflow(a.lo, b.hi, &corners[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &corners[2]) || __builtin_mul_overflow(a.hi, b.hi, &corners[3]);
  if (overflows)
    return {};
  auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  return Interval{*lo, *hi};
}

// Division is monotonic in the dividend; its magnitude falls with the divisor.
template <class Divide>
Range divide(Interval a, Interval b, Divide divide) {
  if (b.lo < 1)
    return {};
  return Interval{std::min(divide(a.lo, b.lo), divide(a.lo, b.hi)),
                  std::max(divide(a.hi, b.lo), divide(a.hi, b.hi))};
}

std::int64_t ceiling(std::int64_t a, std::int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

Range combine(IndexOp op, Interval a, Interval b) {
  switch (op) {
  case IndexOp::add: return add(a, b);
  case IndexOp::sub: return subtract(a, b);
  case IndexOp::mul: return multiply(a, b);
  case IndexOp::div: return divide(a, b, [](std::int64_t x, std::int64_t y) { return floor_div(x, y); });
  case IndexOp::cdiv: return divide(a, b, ceiling);
  case IndexOp::mod: return b.lo < 1 ? Range{} : Interval{0, b.hi - 1};
  case IndexOp::min: return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  case IndexOp::max: return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  case IndexOp::constant:
  case IndexOp::variable: break;
  }
  ATL_CHECK(false, "not a binary index operation");
}

// p as `variable op constant`, if it is one.
struct Bound {
  std::string variable;
  PredOp op;
  std::int64_t value;
};
std::optional<Bound> as_bound(const Pred &p) {
  if (!p->lhs || !p->rhs)
    return {};
  auto left = evaluate(p->lhs, {}), right = evaluate(p->rhs, {});
  if (p->lhs->op == IndexOp::variable && right)
    return Bound{p->lhs->name, p->op, *right};
  if (p->rhs->op == IndexOp::variable && left)
    return Bound{p->rhs->name, comparison(p->op).mirrored, *left};
  return {};
}

std::optional<Interval> allowed_by(const Bound &bound) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  switch (bound.op) {
  case PredOp::lt: return Interval{least, bound.value == least ? least : bound.value - 1};
  case PredOp::le: return Interval{least, bound.value};
  case PredOp::gt: return Interval{bound.value == greatest ? greatest : bound.value + 1, greatest};
  case PredOp::ge: return Interval{bound.value, greatest};
  case PredOp::eq: return Interval{bound.value, bound.value};
  default: return {};
  }
}

} // namespace

std::optional<Interval> range_of(const Index &e, const Ranges &variables) {
  if (e->op == IndexOp::constant)
    return Interval{e->value, e->value};
  if (e->op == IndexOp::variable) {
    auto known = variables.find(e->name);
    return known == variables.end() ? Range{} : known->second;
  }
  Range a = range_of(e->a, variables), b = range_of(e->b, variables);
  return a && b ? combine(e->op, *a, *b) : Range{};
}

bool is_safe(const Pred &p, const Ranges &variables) {
  bool safe = true;
  for_each_subexpression(p, [&](const Index &e) { safe = safe && range_of(e, variables); });
  return safe;
}

bool narrow(Ranges &variables, const Pred &p) {
  auto bound = as_bound(p);
  auto allowed = bound ? allowed_by(*bound) : std::nullopt;
  if (!allowed || !variables.contains(bound->variable))
    return false;
  Interval &range = variables.at(bound->variable);
  bool known = allowed->lo <= range.lo && range.hi <= allowed->hi;
  // Contradictory bounds leave the range as it is: wider than needed is still right.
  Interval narrowed{std::max(range.lo, allowed->lo), std::min(range.hi, allowed->hi)};
  if (narrowed.lo <= narrowed.hi)
    range = narrowed;
  return known;
}

Ranges size_ranges(const std::vector<std::string> &sizes, const std::vector<Pred> &assumptions) {
  Ranges ranges;
  for (const std::string &size : sizes)
    ranges[size] = {0, greatest};
  for (const Pred &assumption : assumptions)
    for (const Pred &p : conjuncts(assumption)) {
      auto bound = as_bound(p);
      if (bound && (bound->op == PredOp::lt || bound->op == PredOp::le))
        narrow(ranges, p);
    }
  return ranges;
}

} // namespace atl::cbackend
