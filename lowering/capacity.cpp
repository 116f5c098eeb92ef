#include "lowering/capacity.h"

#include <map>

namespace atl::lowering {

namespace {

struct Interval {
  Index lower, upper;
};
using MaybeInterval = std::optional<Interval>;
using Ranges = std::map<std::string, Interval>;

MaybeInterval interval(const Index &e, const Ranges &ranges, const Facts &facts);

MaybeInterval product(const Interval &a, const Interval &b, const Facts &facts) {
  auto c = as_constant(a.lower), d = as_constant(a.upper);
  if (c && d && *c == *d) // a constant factor
    return *c >= 0 ? Interval{mul(b.lower, a.lower), mul(b.upper, a.lower)}
                   : Interval{mul(b.upper, a.lower), mul(b.lower, a.lower)};
  if (!facts.proves_nonnegative(a.lower) || !facts.proves_nonnegative(b.lower))
    return std::nullopt;
  return Interval{mul(a.lower, b.lower), mul(a.upper, b.upper)};
}

MaybeInterval quotient(const Index &e, const Interval &a, const Ranges &ranges, const Facts &facts) {
  auto divisor = interval(e->b, ranges, facts);
  bool fixed = divisor && equal(divisor->lower, divisor->upper);
  if (e->op == IndexOp::mod)
    return divisor ? MaybeInterval(Interval{constant(0), sub(divisor->upper, constant(1))}) : std::nullopt;
  if (!fixed)
    return std::nullopt;
  return Interval{binary(e->op, a.lower, divisor->lower), binary(e->op, a.upper, divisor->lower)};
}

MaybeInterval interval(const Index &e, const Ranges &ranges, const Facts &facts) {
  if (e->op == IndexOp::constant)
    return Interval{e, e};
  if (e->op == IndexOp::variable) {
    auto found = ranges.find(e->name);
    return found == ranges.end() ? Interval{e, e} : found->second;
  }
  auto a = interval(e->a, ranges, facts), b = interval(e->b, ranges, facts);
  if (!a)
    return std::nullopt;
  if (e->op == IndexOp::div || e->op == IndexOp::mod || e->op == IndexOp::cdiv)
    return quotient(e, *a, ranges, facts);
  if (!b)
    return std::nullopt;
  switch (e->op) {
  case IndexOp::add: return Interval{add(a->lower, b->lower), add(a->upper, b->upper)};
  case IndexOp::sub: return Interval{sub(a->lower, b->upper), sub(a->upper, b->lower)};
  case IndexOp::mul: return as_constant(e->a) ? product(*a, *b, facts) : product(*b, *a, facts);
  default: return Interval{binary(e->op, a->lower, b->lower), binary(e->op, a->upper, b->upper)}; // min, max
  }
}

} // namespace

std::optional<Index> upper_bound(const Index &extent, const std::vector<LoopRange> &loops,
                                 const Facts &facts) {
  Ranges ranges;
  for (const LoopRange &loop : loops) {
    auto lo = interval(loop.lo, ranges, facts), hi = interval(loop.hi, ranges, facts);
    if (!lo || !hi)
      return std::nullopt;
    ranges[loop.var] = {facts.simplify(lo->lower), facts.simplify(sub(hi->upper, constant(1)))};
  }
  auto bounds = interval(extent, ranges, facts);
  if (!bounds)
    return std::nullopt;
  Index upper = facts.simplify(bounds->upper);
  return facts.proves_nonnegative(upper) ? upper : binary(IndexOp::max, upper, constant(0));
}

} // namespace atl::lowering
