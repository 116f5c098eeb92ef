#include "padtypes/ranges.h"

namespace atl::padtypes {

namespace {

constexpr int most_case_splits = 6;
const std::string hole = "$hole"; // stands for a sub-expression; not a name of any program

std::optional<Linear> scaled(const std::optional<Linear> &a, const Index &by) {
  return a ? std::optional(Linear{mul(a->slope, by), mul(a->rest, by)}) : std::nullopt;
}

bool is_division(const Index &e) {
  return e->op == IndexOp::div || e->op == IndexOp::cdiv;
}

// The outermost part of e that is not linear in the variable, if it is a minimum, a maximum or a division.
Index nonlinear_part(const Index &e, const std::string &var) {
  if (is_leaf(e) || !mentions(e, var))
    return nullptr;
  if (is_extremum(e->op) || is_division(e))
    return e;
  if (Index found = nonlinear_part(e->a, var))
    return found;
  return nonlinear_part(e->b, var);
}

// Solves e >= 0 and predicates made of such comparisons for one variable.
class Solver {
public:
  Solver(const Range &range, const Facts &facts) : range_(range), facts_(facts) {}

  Ends solve(const Pred &p, int splits) const {
    switch (p->op) {
    case PredOp::truth: return p->value ? everywhere() : Ends{};
    case PredOp::conj: return both(solve(p->a, splits), solve(p->b, splits));
    case PredOp::disj: return any(solve(p->a, splits), solve(p->b, splits));
    case PredOp::neg: return {};
    case PredOp::lt: return nonnegative(sub(sub(p->rhs, p->lhs), constant(1)), splits);
    case PredOp::le: return nonnegative(sub(p->rhs, p->lhs), splits);
    case PredOp::gt: return nonnegative(sub(sub(p->lhs, p->rhs), constant(1)), splits);
    case PredOp::ge: return nonnegative(sub(p->lhs, p->rhs), splits);
    case PredOp::eq:
      return both(nonnegative(sub(p->lhs, p->rhs), splits), nonnegative(sub(p->rhs, p->lhs), splits));
    case PredOp::ne:
      return any(nonnegative(sub(sub(p->rhs, p->lhs), constant(1)), splits),
                 nonnegative(sub(sub(p->lhs, p->rhs), constant(1)), splits));
    }
    return {};
  }

private:
  Ends everywhere() const { return {range_.hi, range_.lo}; }

  static bool same(const std::optional<Index> &a, const Index &b) { return a && *a == b; }
  bool is_everywhere(const Ends &e) const { return same(e.before, range_.hi) && same(e.from, range_.lo); }

  Ends both(const Ends &a, const Ends &b) const {
    if (is_everywhere(a))
      return b;
    if (is_everywhere(b))
      return a;
    Ends result;
    if (a.before && b.before)
      result.before = facts_.simplify(binary(IndexOp::min, *a.before, *b.before));
    if (a.from && b.from)
      result.from = facts_.simplify(binary(IndexOp::max, *a.from, *b.from));
    return result;
  }

  Ends any(const Ends &a, const Ends &b) const {
    if (is_everywhere(a) || is_everywhere(b))
      return everywhere();
    auto pick = [&](IndexOp op, const std::optional<Index> &x, const std::optional<Index> &y) {
      return x && y ? std::optional(facts_.simplify(binary(op, *x, *y))) : x ? x : y;
    };
    return {pick(IndexOp::max, a.before, b.before), pick(IndexOp::min, a.from, b.from)};
  }

  Ends nonnegative(const Index &raw, int splits) const {
    Index e = facts_.simplify(raw);
    if (facts_.proves_nonnegative(e))
      return everywhere();
    if (!mentions(e, range_.var))
      return {};
    if (auto linear = linear_in(e, range_.var))
      return solve_linear(*linear);
    Index part = nonlinear_part(e, range_.var);
    if (!part || splits == 0)
      return {};
    return is_extremum(part->op) ? by_cases(e, part, splits - 1) : without_division(e, part, splits - 1);
  }

  // slope * var + rest >= 0
  Ends solve_linear(const Linear &l) const {
    if (facts_.proves(compare(PredOp::ge, l.slope, constant(1))))
      return {std::nullopt, facts_.simplify(ceil_div(sub(constant(0), l.rest), l.slope))};
    if (facts_.proves(compare(PredOp::le, l.slope, constant(-1))))
      return {facts_.simplify(add(floor_div(l.rest, sub(constant(0), l.slope)), constant(1))), std::nullopt};
    return {};
  }

  // min(a, b) * positive + ... >= 0: in both cases; max: in either. A negative factor exchanges them.
  Ends by_cases(const Index &e, const Index &part, int splits) const {
    auto around = linear_in(facts_.simplify(replaced(e, part, variable(hole))), hole);
    if (!around)
      return {};
    bool positive = facts_.proves_nonnegative(around->slope);
    if (!positive && !facts_.proves(compare(PredOp::le, around->slope, constant(0))))
      return {};
    Ends a = nonnegative(replaced(e, part, part->a), splits);
    Ends b = nonnegative(replaced(e, part, part->b), splits);
    return (part->op == IndexOp::min) == positive ? both(a, b) : any(a, b);
  }

  // a / d + rest >= 0 and rest - a / d >= 0 without the division; likewise cdiv.
  Ends without_division(const Index &e, const Index &part, int splits) const {
    auto around = linear_in(facts_.simplify(replaced(e, part, variable(hole))), hole);
    auto slope = around ? as_constant(around->slope) : std::nullopt;
    if (!slope || (*slope != 1 && *slope != -1))
      return {};
    bool is_ceiling = part->op == IndexOp::cdiv, positive = *slope == 1;
    const Index &d = part->b, &rest = around->rest;
    Index bound = positive == is_ceiling ? sub(mul(add(rest, constant(1)), d), constant(1)) : mul(rest, d);
    return nonnegative(positive ? add(part->a, bound) : sub(bound, part->a), splits);
  }

  const Range &range_;
  const Facts &facts_;
};

enum class Side { lower, upper };

std::optional<Index> bound(const Index &e, Side side, const Range &range, const Facts &facts) {
  if (!mentions(e, range.var))
    return e;
  if (auto linear = linear_in(e, range.var)) {
    bool rising = facts.proves_nonnegative(linear->slope);
    if (!rising && !facts.proves(compare(PredOp::le, linear->slope, constant(0))))
      return std::nullopt;
    Index end = rising == (side == Side::lower) ? range.lo : sub(range.hi, constant(1));
    return substitute(e, {{range.var, end}});
  }
  Side other = side == Side::lower ? Side::upper : Side::lower;
  auto a = bound(e->a, side, range, facts);
  switch (e->op) {
  case IndexOp::add: {
    auto b = bound(e->b, side, range, facts);
    return a && b ? std::optional(add(*a, *b)) : std::nullopt;
  }
  case IndexOp::sub: {
    auto b = bound(e->b, other, range, facts);
    return a && b ? std::optional(sub(*a, *b)) : std::nullopt;
  }
  case IndexOp::mul: // by a constant, last in the normal form
    return a && as_constant(e->b).value_or(-1) >= 0 ? std::optional(mul(*a, e->b)) : std::nullopt;
  case IndexOp::div:
  case IndexOp::cdiv:
    return a && !mentions(e->b, range.var) ? std::optional(binary(e->op, *a, e->b)) : std::nullopt;
  case IndexOp::min:
  case IndexOp::max: {
    auto b = bound(e->b, side, range, facts);
    if (a && b)
      return binary(e->op, *a, *b);
    bool one_suffices = (e->op == IndexOp::max) == (side == Side::lower);
    return one_suffices ? (a ? a : b) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

std::optional<Index> simplified_bound(const Index &raw, Side side, const Range &range, const Facts &facts) {
  auto found = bound(facts.simplify(raw), side, range, facts);
  return found ? std::optional(facts.simplify(*found)) : std::nullopt;
}

// The largest value of the comparison's difference must not be negative.
Pred best_case_of(const Pred &p, const Range &range, const Facts &facts) {
  bool greater = p->op == PredOp::gt || p->op == PredOp::ge;
  bool strict = p->op == PredOp::lt || p->op == PredOp::gt;
  if (p->op == PredOp::eq || p->op == PredOp::ne)
    return truth(true);
  Index margin = greater ? sub(p->lhs, p->rhs) : sub(p->rhs, p->lhs);
  auto most = upper_bound(margin, range, facts);
  return most ? compare(strict ? PredOp::gt : PredOp::ge, *most, constant(0)) : truth(true);
}

} // namespace

std::optional<Linear> linear_in(const Index &e, const std::string &var) {
  if (!mentions(e, var))
    return Linear{constant(0), e};
  if (e->op == IndexOp::variable)
    return Linear{constant(1), constant(0)};
  if (e->op == IndexOp::mul) {
    if (!mentions(e->b, var))
      return scaled(linear_in(e->a, var), e->b);
    return mentions(e->a, var) ? std::nullopt : scaled(linear_in(e->b, var), e->a);
  }
  if (e->op != IndexOp::add && e->op != IndexOp::sub)
    return std::nullopt;
  auto a = linear_in(e->a, var), b = linear_in(e->b, var);
  if (!a || !b)
    return std::nullopt;
  if (e->op == IndexOp::add)
    return Linear{add(a->slope, b->slope), add(a->rest, b->rest)};
  return Linear{sub(a->slope, b->slope), sub(a->rest, b->rest)};
}

Ends holds_at_ends(const Pred &p, const Range &range, const Facts &facts) {
  return Solver(range, facts).solve(positive_form(p), most_case_splits);
}

std::optional<Index> lower_bound(const Index &e, const Range &range, const Facts &facts) {
  return simplified_bound(e, Side::lower, range, facts);
}

std::optional<Index> upper_bound(const Index &e, const Range &range, const Facts &facts) {
  return simplified_bound(e, Side::upper, range, facts);
}

Pred for_some(const Pred &raw, const Range &range, const Facts &facts, bool best_case) {
  Pred p = positive_form(raw);
  if (!mentions(p, range.var))
    return p;
  if (p->op == PredOp::conj)
    return conj(for_some(p->a, range, facts, best_case), for_some(p->b, range, facts, best_case));
  if (p->op == PredOp::disj)
    return disj(for_some(p->a, range, facts, best_case), for_some(p->b, range, facts, best_case));
  return best_case ? best_case_of(p, range, facts) : truth(true);
}

} // namespace atl::padtypes
