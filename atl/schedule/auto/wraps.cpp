#include "atl/schedule/auto/wraps.h"

#include "atl/index/facts.h"
#include "atl/schedule/auto/roles.h"

#include <algorithm>

namespace atl::schedule {

namespace {

// What is added to the loop, by as many n less or more as leave it without n. Null: it wraps in another way.
Index distance_of(const Index &remainder, const LoopHead &loop) {
  if (!equal(remainder->b, loop.hi) || stride_along(remainder->a, loop.var) != 1)
    return nullptr;
  Index distance = Facts().simplify(sub(remainder->a, variable(loop.var)));
  for (const std::int64_t turns : {0, -1, 1}) {
    Index turned = Facts().simplify(add(distance, mul(constant(turns), loop.hi)));
    if (as_constant(turned) || (!as_constant(loop.hi) && !mentions(turned, loop.hi->name)))
      return turned;
  }
  return distance;
}

// Nothing if an index divides the loop in another way.
std::optional<std::vector<Index>> distances(const Nest &nest) {
  const LoopHead &loop = nest.loops.back();
  std::vector<Index> found;
  bool all_wrap = true;
  const auto add_distance = [&](const Index &index) {
    const bool divides = index->op == IndexOp::div || index->op == IndexOp::mod || index->op == IndexOp::cdiv;
    if (!divides || !mentions(index, loop.var))
      return;
    const Index distance = index->op == IndexOp::mod ? distance_of(index, loop) : nullptr;
    all_wrap = all_wrap && distance;
    if (distance && !is_among(distance, found))
      found.push_back(distance);
  };
  for (const Access &read : nest.reads)
    for (const Index &index : read.indices)
      for_each_subexpression(index, add_distance);
  return all_wrap ? std::optional(found) : std::nullopt;
}

struct Range {
  std::int64_t least, greatest;
};

// Of a distance that depends on nothing but reductions of a few terms.
std::optional<Range> range_of(const Index &distance, const Nest &nest) {
  Index least = distance, greatest = distance;
  for (const LoopHead &sum : nest.short_sums) {
    const std::int64_t stride = stride_along(distance, sum.var).value_or(0);
    const Index last = sub(sum.hi, constant(1));
    least = substitute(least, {{sum.var, stride > 0 ? sum.lo : last}});
    greatest = substitute(greatest, {{sum.var, stride > 0 ? last : sum.lo}});
  }
  const auto from = as_constant(Facts().simplify(least)), to = as_constant(Facts().simplify(greatest));
  return from && to ? std::optional(Range{*from, *to}) : std::nullopt;
}

Wraps around(const Index &distance, const Index &n) {
  const Index back = Facts().simplify(sub(constant(0), distance));
  return back->op == IndexOp::variable ? Wraps{back, n, false} : Wraps{constant(0), sub(n, distance), false};
}

} // namespace

std::optional<Wraps> wraps_of(const Nest &nest) {
  if (nest.loops.empty() || !nest.sums.empty() || as_constant(nest.loops.back().lo) != 0)
    return std::nullopt;
  const Index &n = nest.loops.back().hi;
  const auto all = distances(nest);
  if (!all || all->empty())
    return std::nullopt;
  std::int64_t back = 0, ahead = 0;
  for (const Index &distance : *all) {
    const auto range = range_of(distance, nest);
    if (!range)
      return all->size() == 1 ? std::optional(around(distance, n)) : std::nullopt;
    back = std::max(back, -range->least);
    ahead = std::max(ahead, range->greatest);
  }
  return Wraps{constant(back), sub(n, constant(ahead))};
}

Access unwrapped(Access access) {
  for (Index &index : access.indices)
    if (index->op == IndexOp::mod)
      index = index->a;
  return access;
}

} // namespace atl::schedule
