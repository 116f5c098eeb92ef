#include "lowering/lower/capacity.h"

#include <map>

namespace atl::lowering {

namespace {

// Bounds of an expression over all iterations; null where none is known.
struct Interval {
  Index lower, upper;
};
using Ranges = std::map<std::string, Interval>;

Interval interval(const Index &e, const Ranges &ranges, const Facts &facts);

template <class Operation>
Index combined(const Index &a, const Index &b, Operation operation) {
  return a && b ? operation(a, b) : nullptr;
}

Index sum_of(const Index &a, const Index &b) {
  return combined(a, b, [](const Index &x, const Index &y) { return add(x, y); });
}
Index difference_of(const Index &a, const Index &b) {
  return combined(a, b, [](const Index &x, const Index &y) { return sub(x, y); });
}
Index product_of(const Index &a, const Index &b) {
  return combined(a, b, [](const Index &x, const Index &y) { return mul(x, y); });
}
Index of_both(IndexOp op, const Index &a, const Index &b) {
  return combined(a, b, [op](const Index &x, const Index &y) { return binary(op, x, y); });
}
Index of_either(IndexOp op, const Index &a, const Index &b) { // one is enough
  return a && b ? binary(op, a, b) : a ? a : b;
}

bool is_nonnegative(const Index &e, const Facts &facts) {
  return e && facts.proves_nonnegative(e);
}

Interval product(const Interval &a, const Interval &b, const Facts &facts) {
  auto factor = a.lower ? as_constant(a.lower) : std::nullopt;
  if (factor && a.upper && as_constant(a.upper) == factor)
    return *factor >= 0 ? Interval{product_of(b.lower, a.lower), product_of(b.upper, a.lower)}
                        : Interval{product_of(b.upper, a.lower), product_of(b.lower, a.lower)};
  if (!is_nonnegative(a.lower, facts) || !is_nonnegative(b.lower, facts))
    return {};
  return {product_of(a.lower, b.lower), product_of(a.upper, b.upper)};
}

// Divisors are positive.
Interval quotient(const Index &e, const Interval &a, const Interval &divisor, const Facts &facts) {
  if (e->op == IndexOp::mod)
    return {constant(0), difference_of(divisor.upper, constant(1))};
  if (divisor.lower && divisor.upper && equal(divisor.lower, divisor.upper))
    return {of_both(e->op, a.lower, divisor.lower), of_both(e->op, a.upper, divisor.lower)};
  return {is_nonnegative(a.lower, facts) ? constant(0) : of_both(IndexOp::min, a.lower, constant(0)),
          is_nonnegative(a.upper, facts) ? a.upper : of_both(IndexOp::max, a.upper, constant(0))};
}

Interval interval(const Index &e, const Ranges &ranges, const Facts &facts) {
  if (e->op == IndexOp::constant)
    return {e, e};
  if (e->op == IndexOp::variable) {
    auto found = ranges.find(e->name);
    return found == ranges.end() ? Interval{e, e} : found->second;
  }
  Interval a = interval(e->a, ranges, facts), b = interval(e->b, ranges, facts);
  switch (e->op) {
  case IndexOp::add: return {sum_of(a.lower, b.lower), sum_of(a.upper, b.upper)};
  case IndexOp::sub: return {difference_of(a.lower, b.upper), difference_of(a.upper, b.lower)};
  case IndexOp::mul: return as_constant(e->a) ? product(a, b, facts) : product(b, a, facts);
  case IndexOp::min: return {of_both(e->op, a.lower, b.lower), of_either(e->op, a.upper, b.upper)};
  case IndexOp::max: return {of_either(e->op, a.lower, b.lower), of_both(e->op, a.upper, b.upper)};
  default: return quotient(e, a, b, facts);
  }
}

} // namespace

std::optional<Index> upper_bound(const Index &extent, const std::vector<LoopRange> &loops,
                                 const Facts &facts) {
  Ranges ranges;
  for (const LoopRange &loop : loops) {
    Index lo = interval(loop.lo, ranges, facts).lower, hi = interval(loop.hi, ranges, facts).upper;
    ranges[loop.var] = {lo ? facts.simplify(lo) : nullptr,
                        hi ? facts.simplify(sub(hi, constant(1))) : nullptr};
  }
  Index bound = interval(extent, ranges, facts).upper;
  if (!bound)
    return std::nullopt;
  Index upper = facts.simplify(bound);
  return facts.proves_nonnegative(upper) ? upper : binary(IndexOp::max, upper, constant(0));
}

} // namespace atl::lowering
