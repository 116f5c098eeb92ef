// Which slices of a tensor a type speaks of.
#include "padtypes/pad_type.h"

namespace atl::padtypes {

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

static bool says_nothing(const Pred &data, const Facts &facts) {
  return (data->op == PredOp::truth && data->value) || facts.proves(data);
}

// Whether all that b says follows from a.
static bool implies(const PadTypePtr &a, const PadTypePtr &b, const Facts &facts) {
  if (equal(a, b) || is_padding(a, facts))
    return true;
  if (!equal(a->data, b->data) && !says_nothing(b->data, facts))
    return false;
  if (a->is_scalar())
    return true;
  if (!proves_at_least(a->k, b->k, facts) || !proves_at_least(a->c, b->c, facts))
    return false;
  PadTypePtr slice = common_slice(*a, facts);
  auto part_follows = [&](const Index &count, const PadTypePtr &type) {
    return is_constant(count, 0) || (slice && implies(slice, type, facts));
  };
  return part_follows(b->l, b->first) && part_follows(b->r, b->last);
}

// The part next to the padding has at least one slice; or, where it has none, what is there instead is no
// weaker: nothing, because it would have covered everything, or the other part, of a type that implies its
// own.
static bool is_next_to_padding(const PadType &t, bool right, const Facts &facts) {
  const Index &count = right ? t.r : t.l;
  const PadTypePtr &type = right ? t.last : t.first, &other = right ? t.first : t.last;
  if (is_constant(count, 0) || proves_at_least(count, constant(1), facts))
    return !is_constant(count, 0);
  if (right ? right_covers(t, facts) : left_covers(t, facts))
    return true;
  if (!covers(t, facts))
    return false;
  Facts where_empty = facts;
  where_empty.assume(compare(PredOp::le, count, constant(0)));
  return implies(other, type, where_empty);
}

static std::optional<Run> run_at_end(const PadType &t, bool right, const Facts &facts) {
  if (is_next_to_padding(t, right, facts))
    return right ? Run{t.r, t.last} : Run{t.l, t.first};
  PadTypePtr slice = common_slice(t, facts);
  return slice ? std::optional(Run{between_ends(t, facts), slice}) : std::nullopt;
}

std::optional<Run> leading(const PadType &t, const Facts &facts) {
  return run_at_end(t, false, facts);
}

std::optional<Run> trailing(const PadType &t, const Facts &facts) {
  return run_at_end(t, true, facts);
}

} // namespace atl::padtypes
