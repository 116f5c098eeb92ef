#include "padtypes/pad_type.h"

#include "atl/check.h"

#include <algorithm>

namespace atl::padtypes {

PadTypePtr tensor_type(PadType type) {
  return std::make_shared<const PadType>(std::move(type));
}

static Shape without_first(const Shape &shape) {
  return Shape(shape.begin() + 1, shape.end());
}

PadTypePtr scalar_type(Pred data) {
  return tensor_type({std::move(data), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
}

PadTypePtr padding(const Shape &shape) {
  if (shape.empty())
    return scalar_type(truth(false));
  PadTypePtr slice = padding(without_first(shape));
  return tensor_type(
      {truth(false), shape[0], shape[0], constant(0), constant(0), constant(0), slice, slice});
}

PadTypePtr nothing_known(const Shape &shape) {
  if (shape.empty())
    return scalar_type(truth(true));
  PadTypePtr slice = nothing_known(without_first(shape));
  return tensor_type({truth(true), shape[0], constant(0), shape[0], constant(0), constant(0), slice, slice});
}

static std::size_t comparisons(const Pred &p) {
  if (p->op == PredOp::truth)
    return 0;
  return p->a ? comparisons(p->a) + (p->b ? comparisons(p->b) : 0) : 1;
}

// A condition that gets long says less and less, and costs more and more.
static bool is_long(const Pred &p) { return comparisons(p) > 6; }

PadTypePtr only_where(const Pred &p, const PadTypePtr &type) {
  if (p->op == PredOp::truth && p->value)
    return type;
  PadType result = *type;
  Pred both = equal(p, type->data) ? p : conj(p, type->data);
  result.data = !is_long(both) ? both : !is_long(p) ? p : truth(true);
  return tensor_type(std::move(result));
}

PadTypePtr with_shape(const PadTypePtr &type, const Shape &shape) {
  if (shape.empty() || (equal(type->extent, shape[0]) && type->first->is_scalar()))
    return type;
  PadType result = *type;
  result.extent = shape[0];
  result.first = with_shape(type->first, without_first(shape));
  result.last = type->first == type->last ? result.first : with_shape(type->last, without_first(shape));
  return tensor_type(std::move(result));
}

Shape shape_of(const PadTypePtr &type) {
  if (type->is_scalar())
    return {};
  Shape shape = shape_of(type->first);
  shape.insert(shape.begin(), type->extent);
  return shape;
}

bool equal(const PadTypePtr &a, const PadTypePtr &b) {
  if (a == b)
    return true;
  if (a->is_scalar() != b->is_scalar() || !equal(a->data, b->data))
    return false;
  return a->is_scalar() ||
         (equal(a->extent, b->extent) && equal(a->k, b->k) && equal(a->l, b->l) && equal(a->r, b->r) &&
          equal(a->c, b->c) && equal(a->first, b->first) && equal(a->last, b->last));
}

bool mentions(const PadTypePtr &t, const std::string &var) {
  if (mentions(t->data, var))
    return true;
  if (t->is_scalar())
    return false;
  auto in_count = [&](const Index &e) { return mentions(e, var); };
  return in_count(t->k) || in_count(t->l) || in_count(t->r) || in_count(t->c) || mentions(t->first, var) ||
         mentions(t->last, var);
}

static int nesting(const Index &e) {
  if (e->op == IndexOp::constant || e->op == IndexOp::variable)
    return 0;
  bool counted = e->op == IndexOp::min || e->op == IndexOp::max;
  return std::max(nesting(e->a), nesting(e->b)) + (counted ? 1 : 0);
}

// Expressions with nested minima and maxima are slow to decide and of no use to a reader.
static bool is_deep(const Index &e) { return nesting(e) > 3; }

Index at_least_zero(const Index &e, const Facts &facts) {
  if (auto value = as_constant(e))
    return constant(std::max<std::int64_t>(*value, 0));
  Index result = binary(IndexOp::max, e, constant(0));
  return is_deep(result) ? constant(0) : facts.simplify(result);
}

Index smaller(const Index &a, const Index &b, const Facts &facts) {
  auto x = as_constant(a), y = as_constant(b);
  if (x == 0 || y == 0)
    return constant(0);
  if (x && y)
    return *x <= *y ? a : b;
  Index result = binary(IndexOp::min, a, b);
  return equal(a, b) ? a : is_deep(result) ? constant(0) : facts.simplify(result);
}

bool proves_at_least(const Index &a, const Index &b, const Facts &facts) {
  if (auto difference = as_constant(sub(a, b)))
    return *difference >= 0;
  return facts.proves(compare(PredOp::ge, a, b));
}

PadTypePtr uniform_middle(const Pred &data, const Index &extent, const Index &k, const PadTypePtr &middle,
                          const Index &c, const Facts &facts) {
  Index rest = facts.simplify(sub(sub(extent, k), c));
  return tensor_type({data, extent, k, rest, constant(0), c, middle, middle});
}

static bool is_constant(const Index &e, std::int64_t value) {
  return as_constant(e) == value;
}

static bool is_false(const Pred &p) {
  return p->op == PredOp::truth && !p->value;
}

// Where the parts between the padded ends are padding as well, if they reach over everything.
static Pred middle_is_padding(const PadType &t, const Facts &facts) {
  bool left = !is_constant(t.l, 0), right = !is_constant(t.r, 0);
  Pred result = truth(true);
  if (left)
    result = conj(result, padding_where(t.first, facts));
  if (right && !is_false(result))
    result = conj(result, padding_where(t.last, facts));
  return is_false(result) || !covers(t, facts) ? truth(false) : result;
}

Pred padding_where(const PadTypePtr &type, const Facts &facts) {
  const PadType &t = *type;
  Pred result = positive_form(neg(t.data));
  if (t.is_scalar() || (result->op == PredOp::truth && result->value))
    return result;
  if (!is_constant(t.k, 0) || !is_constant(t.c, 0) || is_constant(t.extent, 0)) {
    Pred filled = compare(PredOp::ge, facts.simplify(add(t.k, t.c)), t.extent);
    if (auto known = evaluate(filled, {}))
      filled = truth(*known);
    result = disj(result, filled);
  }
  Pred with_middle = disj(result, middle_is_padding(t, facts));
  return is_long(with_middle) ? result : with_middle;
}

bool is_padding(const PadTypePtr &type, const Facts &facts) {
  return facts.proves(padding_where(type, facts));
}

bool left_covers(const PadType &t, const Facts &facts) {
  return proves_at_least(add(add(t.k, t.l), t.c), t.extent, facts);
}

bool right_covers(const PadType &t, const Facts &facts) {
  return proves_at_least(add(add(t.k, t.r), t.c), t.extent, facts);
}

bool covers(const PadType &t, const Facts &facts) {
  return left_covers(t, facts) || right_covers(t, facts) ||
         (!is_constant(t.l, 0) && !is_constant(t.r, 0) &&
          proves_at_least(add(add(t.k, t.l), add(t.r, t.c)), t.extent, facts));
}

static Index between_ends(const PadType &t, const Facts &facts) {
  return facts.simplify(sub(sub(t.extent, t.k), t.c));
}

PadTypePtr common_slice(const PadType &t, const Facts &facts) {
  if (left_covers(t, facts))
    return t.first;
  if (right_covers(t, facts))
    return t.last;
  return covers(t, facts) ? either(t.first, t.last, facts) : nullptr;
}

// A part of at least one slice is next to the padding. One that covers everything is so as well: where it has
// no slice, there is nothing but padding.
std::optional<Run> leading(const PadType &t, const Facts &facts) {
  if (proves_at_least(t.l, constant(1), facts) || left_covers(t, facts))
    return Run{t.l, t.first};
  PadTypePtr slice = common_slice(t, facts);
  return slice ? std::optional(Run{between_ends(t, facts), slice}) : std::nullopt;
}

std::optional<Run> trailing(const PadType &t, const Facts &facts) {
  if (proves_at_least(t.r, constant(1), facts) || right_covers(t, facts))
    return Run{t.r, t.last};
  PadTypePtr slice = common_slice(t, facts);
  return slice ? std::optional(Run{between_ends(t, facts), slice}) : std::nullopt;
}

PadTypePtr tidy(PadType t, const Facts &facts) {
  bool one_part = is_constant(t.r, 0) ? left_covers(t, facts) : equal(t.first, t.last) && covers(t, facts);
  if (one_part)
    return uniform_middle(t.data, t.extent, t.k, t.first, t.c, facts);
  return tensor_type(std::move(t));
}

Pred data_of_either(const Pred &a, const Pred &b) {
  Pred both = equal(a, b) ? a : disj(a, b);
  return is_long(both) ? truth(true) : both;
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

PadTypePtr for_all(const PadTypePtr &type, const Range &range, const Facts &facts, bool best_case) {
  if (!mentions(type, range.var))
    return type;
  const PadType &t = *type;
  Pred data = for_some(t.data, range, facts, best_case);
  if (t.is_scalar())
    return scalar_type(data);
  auto at_every = [&](const PadTypePtr &slice) { return for_all(slice, range, facts, best_case); };
  auto least = [&](const Index &count) { return lower_bound(count, range, facts).value_or(constant(0)); };
  Index k = at_least_zero(least(t.k), facts), c = at_least_zero(least(t.c), facts);
  bool one_part = is_constant(t.l, 0) || is_constant(t.r, 0);
  if (PadTypePtr slice = one_part ? common_slice(t, facts) : nullptr)
    return uniform_middle(data, t.extent, k, at_every(slice), c, facts);
  Index l = facts.simplify(sub(least(add(t.k, t.l)), k)), r = facts.simplify(sub(least(add(t.c, t.r)), c));
  return tidy({data, t.extent, k, l, r, c, at_every(t.first), at_every(t.last)}, facts);
}

PadTypePtr at_value(const PadTypePtr &type, const std::string &var, const Index &value, const Facts &facts) {
  if (!mentions(type, var))
    return type;
  const PadType &t = *type;
  Pred data = facts.simplify(substitute(t.data, {{var, value}}));
  if (t.is_scalar())
    return scalar_type(data);
  auto count = [&](const Index &e) { return facts.simplify(substitute(e, {{var, value}})); };
  return tensor_type({data, t.extent, count(t.k), count(t.l), count(t.r), count(t.c),
                      at_value(t.first, var, value, facts), at_value(t.last, var, value, facts)});
}

} // namespace atl::padtypes
