// The rule of gen: iterations become slices. What is all padding at both ends is counted by k and c; the rest
// needs at most two types, of which the first or the last iteration can be one (a tile that is not full).
#include "padtypes/rules.h"

#include "atl/base/check.h"
#include "atl/index/solve.h"

#include <algorithm>

namespace atl::padtypes {

namespace {

enum class Side { left, right };

// Does `special` say more about padding on one side than `common`, at any depth?
bool says_more(const PadTypePtr &special, const PadTypePtr &common, Side side) {
  if (special->is_scalar())
    return false;
  bool here = side == Side::left ? !equal(special->k, common->k) : !equal(special->c, common->c);
  return here || says_more(special->first, common->first, side) ||
         (!(special->is_uniform() && common->is_uniform()) && says_more(special->last, common->last, side));
}

// The iterations between the padded ends.
class Middle {
public:
  Middle(const LoopRange &range, const PadTypePtr &body, const Facts &facts)
      : range_(range), body_(body), facts_(facts) {
    facts_.assume(compare(PredOp::lt, range.lo, range.hi));
  }

  // One type for the iterations from `skip_first` after the beginning to `skip_last` before the end.
  PadTypePtr common(std::int64_t skip_first, std::int64_t skip_last) const {
    LoopRange part{range_.var, add(range_.lo, constant(skip_first)), sub(range_.hi, constant(skip_last))};
    Facts within = facts_;
    within.assume(in_range(part.lo, variable(part.var), part.hi));
    return for_all(body_, part, within, false);
  }
  PadTypePtr first() const { return at_value(body_, range_.var, range_.lo, facts_); }
  PadTypePtr last() const { return at_value(body_, range_.var, sub(range_.hi, constant(1)), facts_); }

private:
  const LoopRange &range_;
  const PadTypePtr &body_;
  Facts facts_;
};

PadTypePtr middle_types(PadType gen, const LoopRange &rest, const PadTypePtr &body, const Facts &facts) {
  Middle middle(rest, body, facts);
  Index count = facts.simplify(sub(sub(gen.extent, gen.k), gen.c));
  PadTypePtr all = middle.common(0, 0), first = middle.first(), last = middle.last();
  bool special_first = says_more(first, all, Side::left), special_last = says_more(last, all, Side::right);
  Index others = facts.simplify(sub(count, constant(1)));
  if (special_first && special_last) { // nothing is said of those between
    gen.l = gen.r = constant(1);
    gen.first = first;
    gen.last = last;
  } else if (special_first) {
    gen.l = constant(1);
    gen.r = others;
    gen.first = first;
    gen.last = middle.common(1, 0);
  } else if (special_last) {
    gen.l = others;
    gen.r = constant(1);
    gen.first = middle.common(0, 1);
    gen.last = last;
  } else {
    gen.l = count;
    gen.r = constant(0);
    gen.first = gen.last = all;
  }
  return tensor_type(std::move(gen));
}

PadTypePtr all_padding(const Index &extent, const PadTypePtr &slice) {
  Shape shape = shape_of(slice);
  shape.insert(shape.begin(), extent);
  return padding(shape);
}

// 0 <= count <= extent
Index clipped(const Index &count, const Index &extent, const Facts &facts) {
  return at_least_zero(smaller(facts.simplify(count), extent, facts), facts);
}

std::size_t run_length(const std::vector<PadTypePtr> &types, bool from_end) {
  std::size_t n = types.size(), length = 1;
  const PadTypePtr &end = from_end ? types.back() : types.front();
  while (length < n && equal(end, from_end ? types[n - 1 - length] : types[length]))
    ++length;
  return length;
}

PadTypePtr either_of(const std::vector<PadTypePtr> &types, std::size_t begin, std::size_t end,
                     const Facts &facts) {
  PadTypePtr result = types[begin];
  for (std::size_t i = begin + 1; i < end; ++i)
    result = either(result, types[i], facts);
  return result;
}

// At most two runs of equal types are exact. Of more, the outer ones are kept, with what joins them if that
// is no weaker than one of them.
void group_middle(PadType &gen, const std::vector<PadTypePtr> &types, const Facts &facts) {
  std::size_t n = types.size(), left = run_length(types, false), right = run_length(types, true);
  gen.first = types.front();
  gen.last = types.back();
  if (left == n)
    right = 0;
  else if (PadTypePtr join = either_of(types, 0, n - right, facts); equal(join, gen.first))
    left = n - right;
  else if (join = either_of(types, left, n, facts); equal(join, gen.last))
    right = n - left;
  gen.l = constant(static_cast<std::int64_t>(left));
  gen.r = constant(static_cast<std::int64_t>(right));
}

} // namespace

PadTypePtr gen_symbolic(const LoopRange &range, const PadTypePtr &body, const Facts &facts) {
  Index extent = facts.simplify(sub(range.hi, range.lo));
  Facts inside = facts;
  inside.assume(in_range(range.lo, variable(range.var), range.hi));
  Solution padded = solve(padding_where(body, inside), range, inside);
  PadType gen{truth(true), extent, constant(0), constant(0), constant(0), constant(0), body, body};
  if (padded.before)
    gen.k = clipped(sub(padded.before, range.lo), extent, facts);
  if (padded.from)
    gen.c = clipped(sub(range.hi, padded.from), extent, facts);
  if (proves_at_least(gen.k, extent, facts))
    return all_padding(extent, body);
  LoopRange rest{range.var, facts.simplify(add(range.lo, gen.k)), facts.simplify(sub(range.hi, gen.c))};
  return middle_types(std::move(gen), rest, body, facts);
}

PadTypePtr gen_enumerated(const std::vector<PadTypePtr> &bodies, const Facts &facts) {
  ATL_CHECK(!bodies.empty(), "gen without iterations has no body types");
  auto is_data = [&](const PadTypePtr &type) { return !is_padding(type, facts); };
  auto begin = std::find_if(bodies.begin(), bodies.end(), is_data);
  if (begin == bodies.end())
    return all_padding(constant(static_cast<std::int64_t>(bodies.size())), bodies.front());
  auto end = std::find_if(bodies.rbegin(), bodies.rend(), is_data).base();
  PadType gen{truth(true),
              constant(static_cast<std::int64_t>(bodies.size())),
              constant(begin - bodies.begin()),
              nullptr,
              nullptr,
              constant(bodies.end() - end),
              nullptr,
              nullptr};
  group_middle(gen, std::vector<PadTypePtr>(begin, end), facts);
  return tidy(std::move(gen), facts);
}

} // namespace atl::padtypes
