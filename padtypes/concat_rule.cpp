// The rule of concat: each end of the result is the end of one operand. Padding, or slices of one type, that
// run through a whole operand run on into the other.
#include "padtypes/rules.h"

namespace atl::padtypes {

namespace {

struct End {
  Index padding;
  Run slices;
};

// The end of `near`, and what lies behind it in `far`; seen from the left or from the right.
End concat_end(const PadTypePtr &near, const PadTypePtr &far, bool right, const Facts &facts) {
  auto own_end = [&](const PadTypePtr &type) -> End {
    const PadType &t = *type;
    auto run = right ? trailing(t, facts) : leading(t, facts);
    Index padding = smaller(right ? t.c : t.k, t.extent, facts);
    if (!run)
      return {padding, {constant(0), t.first}};
    Index rest = facts.simplify(sub(t.extent, padding));
    bool reaches_over_all = right ? right_covers(t, facts) : left_covers(t, facts);
    return {padding,
            {reaches_over_all ? rest : smaller(run->count, rest, facts), only_where(t.data, run->type)}};
  };
  End end = own_end(near), behind = own_end(far);
  if (is_padding(near, facts))
    return {facts.simplify(add(near->extent, behind.padding)), behind.slices};
  bool whole = proves_at_least(add(end.padding, end.slices.count), near->extent, facts);
  if (whole && equal(end.slices.type, behind.slices.type))
    end.slices.count =
        facts.simplify(add(end.slices.count, add(behind.padding, at_least_zero(behind.slices.count, facts))));
  return end;
}

} // namespace

PadTypePtr concat_rule(const PadTypePtr &left, const PadTypePtr &right, const Facts &facts) {
  End begin = concat_end(left, right, false, facts), end = concat_end(right, left, true, facts);
  Pred data = data_of_either(left->data, right->data);
  PadType result{data,
                 facts.simplify(add(left->extent, right->extent)),
                 begin.padding,
                 begin.slices.count,
                 end.slices.count,
                 end.padding,
                 begin.slices.type,
                 end.slices.type};
  return tidy(std::move(result), facts);
}

} // namespace atl::padtypes
