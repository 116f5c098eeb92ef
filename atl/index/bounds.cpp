#include "atl/index/bounds.h"

#include "atl/base/check.h"

#include <algorithm>
#include <array>

namespace atl {

namespace {

using Corners = std::array<std::optional<std::int64_t>, 4>;

std::optional<Interval> hull(const Corners &corners) {
  for (const auto &corner : corners)
    if (!corner)
      return std::nullopt;
  auto [lo, hi] = std::minmax_element(corners.begin(), corners.end());
  return Interval{**lo, **hi};
}

std::optional<Interval> interval_of(const IndexOpInfo &op, Interval a, Interval b) {
  if (op.divides && b.lo < 1)
    return std::nullopt;
  if (op.monotone)
    return hull({op.value(a.lo, b.lo), op.value(a.lo, b.hi), op.value(a.hi, b.lo), op.value(a.hi, b.hi)});
  ATL_CHECK(op.op == IndexOp::mod, "an index operation without bounds");
  return Interval{0, b.hi - 1};
}

std::optional<Linear> scaled(const std::optional<Linear> &a, const Index &by) {
  return a ? std::optional(Linear{mul(a->slope, by), mul(a->rest, by)}) : std::nullopt;
}

// One loop's variable gives way to the ends of the loop.
class Elimination {
public:
  Elimination(const LoopRange &loop, const Facts &facts) : loop_(loop), facts_(facts) {}

  Bounds of(const Index &e) const {
    if (!mentions(e, loop_.var))
      return {e, e};
    if (Bounds ends = of_linear(e); ends.lo)
      return ends;
    const Bounds a = of(e->a), b = of(e->b);
    switch (e->op) {
    case IndexOp::add: return {both(e->op, a.lo, b.lo), both(e->op, a.hi, b.hi)};
    case IndexOp::sub: return {both(e->op, a.lo, b.hi), both(e->op, a.hi, b.lo)};
    case IndexOp::mul: return of_product(*e, a, b);
    case IndexOp::div:
    case IndexOp::cdiv: return of_quotient(*e, a, b);
    case IndexOp::mod: return {constant(0), both(IndexOp::sub, b.hi, constant(1))};
    case IndexOp::min: return {both(e->op, a.lo, b.lo), either(e->op, a.hi, b.hi)};
    case IndexOp::max: return {either(e->op, a.lo, b.lo), both(e->op, a.hi, b.hi)};
    case IndexOp::constant:
    case IndexOp::variable: break;
    }
    ATL_CHECK(false, "an index operation without bounds");
  }

private:
  Bounds of_linear(const Index &e) const {
    auto linear = linear_in(e, loop_.var);
    if (!linear)
      return {};
    auto at = [&](const Index &value) { return substitute(e, {{loop_.var, value}}); };
    Index first = at(loop_.lo), last = at(sub(loop_.hi, constant(1)));
    return ordered(linear->slope, first, last);
  }

  // Known where one factor has one value, whose sign is known, or where no factor is negative.
  Bounds of_product(const IndexNode &e, const Bounds &a, const Bounds &b) const {
    for (const auto &[factor, other] : {std::pair(a, b), std::pair(b, a)})
      if (is_single(factor))
        if (Bounds ends =
                ordered(factor.lo, both(e.op, other.lo, factor.lo), both(e.op, other.hi, factor.lo));
            ends.lo || ends.hi)
          return ends;
    const bool a_from_zero = is_nonnegative(a.lo), b_from_zero = is_nonnegative(b.lo);
    if (!(a_from_zero || is_nonnegative(e.a)) || !(b_from_zero || is_nonnegative(e.b)))
      return {};
    return {a_from_zero && b_from_zero ? mul(a.lo, b.lo) : constant(0), both(e.op, a.hi, b.hi)};
  }

  // Of a divisor that varies it is used only that it is positive.
  Bounds of_quotient(const IndexNode &e, const Bounds &a, const Bounds &b) const {
    if (is_single(b))
      return {both(e.op, a.lo, b.lo), both(e.op, a.hi, b.lo)};
    return {is_nonnegative(e.a) || is_nonnegative(a.lo) ? constant(0) : both(IndexOp::min, a.lo, constant(0)),
            is_nonnegative(a.hi) ? a.hi : both(IndexOp::max, a.hi, constant(0))};
  }

  // The ends of what rises where `slope` is positive, and falls where it is negative.
  Bounds ordered(const Index &slope, const Index &first, const Index &last) const {
    if (is_nonnegative(slope))
      return {first, last};
    return facts_.proves(compare(PredOp::le, slope, constant(0))) ? Bounds{last, first} : Bounds{};
  }

  static Index both(IndexOp op, const Index &a, const Index &b) {
    if (!a || !b)
      return nullptr;
    switch (op) {
    case IndexOp::add: return add(a, b);
    case IndexOp::sub: return sub(a, b);
    case IndexOp::mul: return mul(a, b);
    default: return binary(op, a, b);
    }
  }
  static Index either(IndexOp op, const Index &a, const Index &b) { // one is enough
    return !a ? b : !b ? a : binary(op, a, b);
  }
  static bool is_single(const Bounds &b) { return b.lo && b.hi && equal(b.lo, b.hi); }
  bool is_nonnegative(const Index &e) const { return e && facts_.proves_nonnegative(e); }

  const LoopRange &loop_;
  const Facts &facts_;
};

} // namespace

std::optional<Interval> interval_of(const Index &e, const Intervals &variables) {
  if (e->op == IndexOp::constant)
    return Interval{e->value, e->value};
  if (e->op == IndexOp::variable) {
    auto known = variables.find(e->name);
    return known == variables.end() ? std::nullopt : std::optional(known->second);
  }
  auto a = interval_of(e->a, variables), b = interval_of(e->b, variables);
  return a && b ? interval_of(info(e->op), *a, *b) : std::nullopt;
}

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

Bounds bounds_of(const Index &e, const std::vector<LoopRange> &loops, const Facts &facts) {
  Bounds bounds{e, e};
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) { // the ends of an inner one name outer ones
    const Elimination elimination(*loop, facts);
    bounds = {bounds.lo ? elimination.of(bounds.lo).lo : nullptr,
              bounds.hi ? elimination.of(bounds.hi).hi : nullptr};
  }
  return bounds;
}

} // namespace atl
