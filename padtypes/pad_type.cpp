#include "padtypes/pad_type.h"

#include "atl/base/check.h"

#include <algorithm>

namespace atl::padtypes {

// Counts so many of whose parts are minima and maxima are slow to decide and of no use to a reader.
static constexpr int most_extrema = 4;

static int extrema_in(const Index &e) {
  if (is_leaf(e))
    return 0;
  const int a = extrema_in(e->a), here = is_extremum(e->op) ? 1 : 0;
  return a > most_extrema ? a : a + here + extrema_in(e->b);
}

static bool is_long(const Index &count) {
  return extrema_in(count) > most_extrema;
}

static PadTypePtr make_type(PadType type) {
  return std::make_shared<const PadType>(std::move(type));
}

// Parts that differ inside of parts that differ: a type with more of them says nothing of its slices, as what
// is done with types takes a multiple of the time for each.
static constexpr int most_variety = 3;

// A long count says nothing. The slices that it counted are padding, or of the type of the part, which holds
// of padding too: so the other counts stay right.
PadTypePtr tensor_type(PadType type) {
  for (Index *count : {&type.k, &type.l, &type.r, &type.c})
    if (is_long(*count))
      *count = constant(0);
  if (is_constant(type.r, 0))
    type.last = type.first;
  else if (is_constant(type.l, 0))
    type.first = type.last;
  type.variety = std::max(type.first->variety, type.last->variety) + (type.is_uniform() ? 0 : 1);
  if (type.variety > most_variety) {
    type.l = type.r = constant(0);
    type.first = type.last = nothing_known(shape_of(type.first));
    type.variety = 0;
  }
  return make_type(std::move(type));
}

static Shape without_first(const Shape &shape) {
  return Shape(shape.begin() + 1, shape.end());
}

PadTypePtr scalar_type(Pred data) {
  return make_type({std::move(data), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
}

PadTypePtr padding(const Shape &shape) {
  if (shape.empty())
    return scalar_type(truth(false));
  PadTypePtr slice = padding(without_first(shape));
  return tensor_type({truth(false), shape[0], shape[0], constant(0), constant(0), constant(0), slice, slice});
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

bool is_long(const Pred &p) {
  return comparisons(p) > 6;
}

PadTypePtr only_where(const Pred &p, const PadTypePtr &type) {
  if (p->op == PredOp::truth && p->value)
    return type;
  PadType result = *type; // perhaps of a scalar
  Pred both = equal(p, type->data) ? p : conj(p, type->data);
  result.data = !is_long(both) ? both : !is_long(p) ? p : truth(true);
  return make_type(std::move(result));
}

PadTypePtr with_shape(const PadTypePtr &type, const Shape &shape) {
  if (shape.empty() || (equal(type->extent, shape[0]) && type->first->is_scalar()))
    return type;
  PadType result = *type;
  result.extent = shape[0];
  result.first = with_shape(type->first, without_first(shape));
  result.last = type->is_uniform() ? result.first : with_shape(type->last, without_first(shape));
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
  if (a->is_scalar())
    return true;
  if (!equal(a->extent, b->extent) || !equal(a->k, b->k) || !equal(a->l, b->l) || !equal(a->r, b->r) ||
      !equal(a->c, b->c) || !equal(a->first, b->first))
    return false;
  return (a->is_uniform() && b->is_uniform()) || equal(a->last, b->last);
}

bool mentions(const PadTypePtr &t, const std::string &var) {
  if (mentions(t->data, var))
    return true;
  if (t->is_scalar())
    return false;
  auto in_count = [&](const Index &e) { return mentions(e, var); };
  return in_count(t->k) || in_count(t->l) || in_count(t->r) || in_count(t->c) || mentions(t->first, var) ||
         (!t->is_uniform() && mentions(t->last, var));
}

Index at_least_zero(const Index &e, const Facts &facts) {
  if (auto value = as_constant(e))
    return constant(std::max<std::int64_t>(*value, 0));
  Index result = binary(IndexOp::max, e, constant(0));
  return is_long(result) ? constant(0) : facts.simplify(result);
}

Index smaller(const Index &a, const Index &b, const Facts &facts) {
  auto x = as_constant(a), y = as_constant(b);
  if (x == 0 || y == 0)
    return constant(0);
  if (x && y)
    return *x <= *y ? a : b;
  Index result = binary(IndexOp::min, a, b);
  return equal(a, b) ? a : is_long(result) ? constant(0) : facts.simplify(result);
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

Pred data_of_either(const Pred &a, const Pred &b) {
  Pred both = equal(a, b) ? a : disj(a, b);
  return is_long(both) ? truth(true) : both;
}

} // namespace atl::padtypes
