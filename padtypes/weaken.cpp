// Types that say less: implied by one or by several others.
#include "padtypes/pad_type.h"

namespace atl::padtypes {

PadTypePtr tidy(PadType t, const Facts &facts) {
  bool one_part = is_constant(t.r, 0) ? left_covers(t, facts) : equal(t.first, t.last) && covers(t, facts);
  if (one_part)
    return uniform_middle(t.data, t.extent, t.k, t.first, t.c, facts);
  return tensor_type(std::move(t));
}

// The slices of both types next to the padding at one end: those of the shorter run, with a type for both.
static Run shared_run(const std::optional<Run> &a, const Index &pad_a, const std::optional<Run> &b,
                      const Index &pad_b, const Index &pad, const Facts &facts, const PadTypePtr &any_slice) {
  if (!a || !b)
    return {constant(0), any_slice};
  Index end = smaller(facts.simplify(add(pad_a, a->count)), facts.simplify(add(pad_b, b->count)), facts);
  return {facts.simplify(sub(end, pad)), either(a->type, b->type, facts)};
}

PadTypePtr either(const PadTypePtr &a, const PadTypePtr &b, const Facts &facts) {
  if (equal(a, b) || is_padding(b, facts))
    return a;
  if (is_padding(a, facts))
    return b;
  Pred data = data_of_either(a->data, b->data);
  if (a->is_scalar())
    return scalar_type(data);
  Index k = smaller(a->k, b->k, facts), c = smaller(a->c, b->c, facts);
  PadTypePtr slice_a = common_slice(*a, facts), slice_b = common_slice(*b, facts);
  bool two_parts = !is_constant(a->r, 0) || !is_constant(b->r, 0);
  if (slice_a && slice_b && !two_parts)
    return uniform_middle(data, a->extent, k, either(slice_a, slice_b, facts), c, facts);
  Run left = shared_run(leading(*a, facts), a->k, leading(*b, facts), b->k, k, facts, a->first);
  Run right = shared_run(trailing(*a, facts), a->c, trailing(*b, facts), b->c, c, facts, a->last);
  return tidy({data, a->extent, k, left.count, right.count, c, left.type, right.type}, facts);
}

// The largest value of the comparison's difference must not be negative. The facts include the range.
static Pred best_case_of(const Pred &p, const LoopRange &range, const Facts &facts) {
  bool greater = p->op == PredOp::gt || p->op == PredOp::ge;
  bool strict = p->op == PredOp::lt || p->op == PredOp::gt;
  if (p->op == PredOp::eq || p->op == PredOp::ne)
    return truth(true);
  Index margin = greater ? sub(p->lhs, p->rhs) : sub(p->rhs, p->lhs);
  Index most = bounds_of(facts.simplify(margin), {range}, facts).hi;
  return most ? compare(strict ? PredOp::gt : PredOp::ge, facts.simplify(most), constant(0)) : truth(true);
}

// A predicate that holds wherever p holds for some value of the variable. Comparisons with the variable
// become true, or their best case if `best_case`.
static Pred for_some(const Pred &raw, const LoopRange &range, const Facts &facts, bool best_case) {
  Pred p = positive_form(raw);
  if (!mentions(p, range.var))
    return p;
  if (p->op == PredOp::conj)
    return conj(for_some(p->a, range, facts, best_case), for_some(p->b, range, facts, best_case));
  if (p->op == PredOp::disj)
    return disj(for_some(p->a, range, facts, best_case), for_some(p->b, range, facts, best_case));
  return best_case ? best_case_of(p, range, facts) : truth(true);
}

PadTypePtr for_all(const PadTypePtr &type, const LoopRange &range, const Facts &facts, bool best_case) {
  if (!mentions(type, range.var))
    return type;
  const PadType &t = *type;
  Pred data = for_some(t.data, range, facts, best_case);
  if (t.is_scalar())
    return scalar_type(data);
  auto at_every = [&](const PadTypePtr &slice) { return for_all(slice, range, facts, best_case); };
  auto least = [&](const Index &count) {
    Index lo = bounds_of(facts.simplify(count), {range}, facts).lo;
    return lo ? facts.simplify(lo) : constant(0);
  };
  Index k = at_least_zero(least(t.k), facts), c = at_least_zero(least(t.c), facts);
  bool one_part = is_constant(t.l, 0) || is_constant(t.r, 0);
  if (PadTypePtr slice = one_part ? common_slice(t, facts) : nullptr)
    return uniform_middle(data, t.extent, k, at_every(slice), c, facts);
  Index l = facts.simplify(sub(least(add(t.k, t.l)), k)), r = facts.simplify(sub(least(add(t.c, t.r)), c));
  const PadTypePtr first = at_every(t.first), last = t.is_uniform() ? first : at_every(t.last);
  return tidy({data, t.extent, k, l, r, c, first, last}, facts);
}

PadTypePtr at_value(const PadTypePtr &type, const std::string &var, const Index &value, const Facts &facts) {
  if (!mentions(type, var))
    return type;
  const PadType &t = *type;
  Pred data = facts.simplify(substitute(t.data, {{var, value}}));
  if (t.is_scalar())
    return scalar_type(data);
  auto count = [&](const Index &e) { return facts.simplify(substitute(e, {{var, value}})); };
  const PadTypePtr first = at_value(t.first, var, value, facts),
                   last = t.is_uniform() ? first : at_value(t.last, var, value, facts);
  return tensor_type({data, t.extent, count(t.k), count(t.l), count(t.r), count(t.c), first, last});
}

} // namespace atl::padtypes
