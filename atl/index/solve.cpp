#include "atl/index/solve.h"

namespace atl {

namespace {

constexpr int most_case_splits = 6;
const std::string hole = "$hole"; // stands for a sub-expression; not a name of any program

// What is not negative exactly where the comparison holds; null for == and !=, of which each has two.
Index margin(const Pred &p) {
  switch (p->op) {
  case PredOp::lt: return sub(sub(p->rhs, p->lhs), constant(1));
  case PredOp::le: return sub(p->rhs, p->lhs);
  case PredOp::gt: return sub(sub(p->lhs, p->rhs), constant(1));
  case PredOp::ge: return sub(p->lhs, p->rhs);
  default: return nullptr;
  }
}

// The outermost part of e that is not linear in the variable, if it is a minimum, a maximum or a division.
Index nonlinear_part(const Index &e, const std::string &var) {
  if (is_leaf(e) || !mentions(e, var))
    return nullptr;
  if (is_extremum(e->op) || e->op == IndexOp::div || e->op == IndexOp::cdiv)
    return e;
  if (Index found = nonlinear_part(e->a, var))
    return found;
  return nonlinear_part(e->b, var);
}

// e as a linear expression of `part`.
std::optional<Linear> around(const Index &e, const Index &part, const Facts &facts) {
  return linear_in(facts.simplify(replaced(e, part, variable(hole))), hole);
}

// Exactly where slope * var + rest >= 0.
Solution where_nonnegative(const Linear &l, const Facts &facts) {
  if (facts.proves(compare(PredOp::ge, l.slope, constant(1))))
    return {nullptr, facts.simplify(ceil_div(sub(constant(0), l.rest), l.slope))};
  if (facts.proves(compare(PredOp::le, l.slope, constant(-1))))
    return {facts.simplify(ceil_div(add(l.rest, constant(1)), sub(constant(0), l.slope))), nullptr};
  return {};
}

// Solves e >= 0 and conditions made of such comparisons.
class Solver {
public:
  Solver(const LoopRange &range, const Facts &facts) : range_(range), facts_(facts) {}

  Solution solve(const Pred &p, int splits) const {
    switch (p->op) {
    case PredOp::truth: return p->value ? everywhere() : Solution{};
    case PredOp::conj: return both(solve(p->a, splits), solve(p->b, splits));
    case PredOp::disj: return any(solve(p->a, splits), solve(p->b, splits));
    case PredOp::neg: return {};
    case PredOp::eq: return both(with(PredOp::ge, p, splits), with(PredOp::le, p, splits));
    case PredOp::ne: return any(with(PredOp::lt, p, splits), with(PredOp::gt, p, splits));
    default: return nonnegative(margin(p), splits);
    }
  }

private:
  Solution with(PredOp op, const Pred &p, int splits) const {
    return nonnegative(margin(compare(op, p->lhs, p->rhs)), splits);
  }

  Solution everywhere() const { return {range_.hi, range_.lo}; }
  bool is_everywhere(const Solution &s) const { return s.before == range_.hi && s.from == range_.lo; }

  Index combined(IndexOp op, const Index &a, const Index &b) const {
    return facts_.simplify(binary(op, a, b));
  }

  Solution both(const Solution &a, const Solution &b) const {
    if (is_everywhere(a))
      return b;
    if (is_everywhere(b))
      return a;
    Solution result;
    if (a.before && b.before)
      result.before = combined(IndexOp::min, a.before, b.before);
    if (a.from && b.from)
      result.from = combined(IndexOp::max, a.from, b.from);
    return result;
  }

  Solution any(const Solution &a, const Solution &b) const {
    if (is_everywhere(a) || is_everywhere(b))
      return everywhere();
    auto pick = [&](IndexOp op, const Index &x, const Index &y) {
      return x && y ? combined(op, x, y) : x ? x : y;
    };
    return {pick(IndexOp::max, a.before, b.before), pick(IndexOp::min, a.from, b.from)};
  }

  Solution nonnegative(const Index &raw, int splits) const {
    Index e = facts_.simplify(raw);
    if (facts_.proves_nonnegative(e))
      return everywhere();
    if (!mentions(e, range_.var))
      return {};
    if (auto linear = linear_in(e, range_.var))
      return where_nonnegative(*linear, facts_);
    Index part = nonlinear_part(e, range_.var);
    if (!part || splits == 0)
      return {};
    return is_extremum(part->op) ? by_cases(e, part, splits - 1) : without_division(e, part, splits - 1);
  }

  // min(a, b) * positive + ... >= 0: in both cases; max: in either. A negative factor exchanges them.
  Solution by_cases(const Index &e, const Index &part, int splits) const {
    auto linear = around(e, part, facts_);
    if (!linear)
      return {};
    bool positive = facts_.proves_nonnegative(linear->slope);
    if (!positive && !facts_.proves(compare(PredOp::le, linear->slope, constant(0))))
      return {};
    Solution a = nonnegative(replaced(e, part, part->a), splits);
    Solution b = nonnegative(replaced(e, part, part->b), splits);
    return (part->op == IndexOp::min) == positive ? both(a, b) : any(a, b);
  }

  // a / d + rest >= 0 and rest - a / d >= 0 without the division; likewise cdiv.
  Solution without_division(const Index &e, const Index &part, int splits) const {
    auto linear = around(e, part, facts_);
    auto slope = linear ? as_constant(linear->slope) : std::nullopt;
    if (slope != 1 && slope != -1)
      return {};
    bool is_ceiling = part->op == IndexOp::cdiv, positive = slope == 1;
    const Index &d = part->b, &rest = linear->rest;
    Index bound = positive == is_ceiling ? sub(mul(add(rest, constant(1)), d), constant(1)) : mul(rest, d);
    return nonnegative(positive ? add(part->a, bound) : sub(bound, part->a), splits);
  }

  const LoopRange &range_;
  const Facts &facts_;
};

// Some var / c in e.
Index quotient_of(const std::string &var, const Index &e) {
  if (is_leaf(e))
    return nullptr;
  if (e->op == IndexOp::div && is_variable(e->a, var) && as_constant(e->b))
    return e;
  Index found = quotient_of(var, e->a);
  return found ? found : quotient_of(var, e->b);
}

} // namespace

Solution solve(const Pred &condition, const LoopRange &range, const Facts &facts) {
  return Solver(range, facts).solve(positive_form(condition), most_case_splits);
}

Solution solve_exactly(const Pred &comparison, const std::string &var, const Facts &facts) {
  Index e = margin(positive_form(comparison));
  auto linear = e ? linear_in(facts.simplify(e), var) : std::nullopt;
  return linear && as_constant(linear->slope) ? where_nonnegative(*linear, facts) : Solution{};
}

Index upper_bound(const Pred &comparison, const std::string &var, const Facts &facts) {
  Index e = margin(positive_form(comparison));
  if (!e)
    return nullptr;
  auto less_than = [&](const std::optional<Linear> &l) { // n, where l >= 0 is `variable < n`
    bool counts_down = l && as_constant(l->slope) == -1 && !mentions(l->rest, var);
    return counts_down ? facts.simplify(add(l->rest, constant(1))) : nullptr;
  };
  if (Index n = less_than(linear_in(facts.simplify(e), var)))
    return n;
  Index quotient = quotient_of(var, e);
  Index n = quotient ? less_than(around(e, quotient, facts)) : nullptr;
  return n ? mul(n, quotient->b) : nullptr;
}

std::vector<StatedBound> stated_bounds(const Pred &condition) {
  std::vector<StatedBound> bounds;
  for (const Pred &p : conjuncts(condition)) {
    if (!is_comparison(p->op))
      continue;
    if (p->lhs->op == IndexOp::variable)
      bounds.push_back({p->lhs->name, p->op, p->rhs});
    if (p->rhs->op == IndexOp::variable)
      bounds.push_back({p->rhs->name, comparison(p->op).mirrored, p->lhs});
  }
  return bounds;
}

} // namespace atl
