#include "lowering/nest/ranges.h"

#include "atl/index/solve.h"

#include <algorithm>

namespace atl::lowering {

namespace {

// p as `variable op constant`, if it is one.
struct Limit {
  std::string variable;
  PredOp op;
  std::int64_t value;
};
std::optional<Limit> as_limit(const Pred &p) {
  if (!is_comparison(p->op))
    return {};
  for (const StatedBound &bound : stated_bounds(p))
    if (auto value = as_constant(bound.value))
      return Limit{bound.variable, bound.op, *value};
  return {};
}

std::optional<Interval> allowed_by(const Limit &limit) {
  switch (limit.op) {
  case PredOp::lt: return Interval{least_index, limit.value == least_index ? least_index : limit.value - 1};
  case PredOp::le: return Interval{least_index, limit.value};
  case PredOp::gt:
    return Interval{limit.value == greatest_index ? greatest_index : limit.value + 1, greatest_index};
  case PredOp::ge: return Interval{limit.value, greatest_index};
  case PredOp::eq: return Interval{limit.value, limit.value};
  default: return {};
  }
}

} // namespace

bool is_safe(const Pred &p, const Intervals &variables) {
  bool safe = true;
  for_each_subexpression(p, [&](const Index &e) { safe = safe && interval_of(e, variables); });
  return safe;
}

bool narrow(Intervals &variables, const Pred &p) {
  auto limit = as_limit(p);
  auto allowed = limit ? allowed_by(*limit) : std::nullopt;
  if (!allowed || !variables.contains(limit->variable))
    return false;
  Interval &range = variables.at(limit->variable);
  bool known = allowed->lo <= range.lo && range.hi <= allowed->hi;
  // Contradictory bounds leave the range as it is: wider than needed is still right.
  Interval narrowed{std::max(range.lo, allowed->lo), std::min(range.hi, allowed->hi)};
  if (narrowed.lo <= narrowed.hi)
    range = narrowed;
  return known;
}

Intervals size_ranges(const std::vector<std::string> &sizes, const std::vector<Pred> &assumptions) {
  Intervals ranges;
  for (const std::string &size : sizes)
    ranges[size] = {0, greatest_index};
  for (const Pred &assumption : assumptions)
    for (const Pred &p : conjuncts(assumption)) {
      auto limit = as_limit(p);
      if (limit && (limit->op == PredOp::lt || limit->op == PredOp::le))
        narrow(ranges, p);
    }
  return ranges;
}

} // namespace atl::lowering
