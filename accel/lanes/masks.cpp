#include "accel/lanes/masks.h"

#include "accel/lanes/lane_sum.h"
#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

namespace {

Facts with_terms(const Reduce &sum, Facts facts) {
  facts.assume(in_range(sum.lo, variable(sum.var), sum.hi));
  return facts;
}

bool is_inside(const Access &access, const Facts &facts, const Lanes &lanes) {
  return accel::is_inside(access, lanes.buffers->at(access.tensor).dims, facts);
}

ExprPtr guard_loads(const ExprPtr &e, const Pred &runs, const Facts &facts, bool is_term,
                    const Lanes &lanes) {
  if (const Access *access = std::get_if<Access>(&e->node)) {
    bool is_load = !lanes.memory.contains(access->tensor) && mentions_variable(e, lanes.lane) &&
                   !(is_term && is_inside(*access, facts, lanes));
    return is_load ? make(Guard{runs, e}, e->span, e->type) : e;
  }
  if (const Reduce *sum = std::get_if<Reduce>(&e->node))
    return rebuild(*e, {guard_loads(sum->body, runs, with_terms(*sum, facts), true, lanes)});
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = guard_loads(kid, runs, facts, is_term, lanes);
  return rebuild(*e, std::move(kids));
}

bool reads_unguarded(const ExprPtr &e, const Facts &facts, const Lanes &lanes) {
  if (const Access *access = std::get_if<Access>(&e->node))
    return !lanes.memory.contains(access->tensor) && !is_inside(*access, facts, lanes);
  if (const Guard *guard = std::get_if<Guard>(&e->node))
    return !mentions(guard->pred, lanes.lane) && reads_unguarded(guard->body, facts, lanes);
  if (const Reduce *sum = std::get_if<Reduce>(&e->node))
    return reads_unguarded(sum->body, with_terms(*sum, facts), lanes);
  const std::vector<ExprPtr> kids = children(*e);
  return std::any_of(kids.begin(), kids.end(),
                     [&](const ExprPtr &kid) { return reads_unguarded(kid, facts, lanes); });
}

} // namespace

Index active_lanes(const Index &active, const Lanes &lanes) {
  Index count = binary(IndexOp::min, active, constant(lanes.count));
  if (!lanes.facts.proves_nonnegative(active))
    count = binary(IndexOp::max, count, constant(0));
  return lanes.facts.simplify(count);
}

ExprPtr guard_loads(const ExprPtr &e, const Index &count, const Lanes &lanes) {
  Facts all_lanes = lanes.facts;
  all_lanes.assume(in_range(constant(0), variable(lanes.lane), constant(lanes.count)));
  return guard_loads(e, compare(PredOp::lt, variable(lanes.lane), count), all_lanes, false, lanes);
}

bool reads_unguarded(const ExprPtr &e, const Lanes &lanes) {
  return reads_unguarded(e, lanes.facts, lanes);
}

} // namespace atl::accel
