#include "accel/blocks/fit.h"

#include "atl/index/solve.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

using Ends = std::map<std::string, Index>; // by the loops of the nest

// A guard bounds one loop, or says when the instruction runs at all.
bool apply_guard(const Fitting &fitting, const Pred &guard, Ends &ends, Attempt &attempt) {
  std::vector<std::string> bounded;
  for (const auto &[var, end] : ends)
    if (mentions(guard, var))
      bounded.push_back(var);
  if (bounded.empty()) {
    attempt.match.call.condition = conj(attempt.match.call.condition, guard);
    return true;
  }
  if (bounded.size() != 1)
    return false;
  const std::string &var = bounded[0];
  Solution solution = solve_exactly(guard, var, fitting.outside);
  if (solution.before)
    ends[var] = binary(IndexOp::min, ends[var], solution.before);
  if (solution.from)
    attempt.starts[var] = binary(IndexOp::max, attempt.starts[var], solution.from);
  return solution.from || solution.before;
}

} // namespace

bool is_fixed(const Fitting &fitting, const Index &e) {
  for (std::size_t n = 0; n < fitting.nest.depth(); ++n)
    if (mentions(e, fitting.nest.loop(n).var))
      return false;
  return true;
}

bool find_extents(Fitting &fitting, Attempt &attempt) {
  Ends ends;
  for (std::size_t n = 0; n < fitting.nest.depth(); ++n) {
    const For &loop = fitting.nest.loop(n);
    attempt.starts[loop.var] = loop.lo;
    ends[loop.var] = loop.hi;
  }
  for (const Pred &guard : fitting.nest.guards)
    if (!apply_guard(fitting, guard, ends, attempt))
      return refuse(fitting, attempt, "the guard " + to_string(guard) + " does not bound one loop");
  BlockMatch &match = attempt.match;
  for (std::size_t p = 0; p < fitting.pattern.loops.size(); ++p) {
    const std::string &var = loop_of(fitting, attempt, p).var;
    Index &start = attempt.starts.at(var);
    start = fitting.outside.simplify(start);
    Index extent = fitting.outside.simplify(sub(ends.at(var), start));
    match.starts.push_back(start);
    match.extents.push_back(extent);
    if (!is_fixed(fitting, start) || !is_fixed(fitting, extent))
      return refuse(fitting, attempt, "the iterations of " + var + " depend on another loop of the nest");
    Pred some = compare(PredOp::ge, extent, constant(1));
    const bool is_summed =
        match.loops[p] >= fitting.nest.loops.size(); // the result is stored without any term, too
    if (!is_summed && !fitting.outside.proves(some))
      match.call.condition = conj(match.call.condition, some);
  }
  return true;
}

bool bind_sizes(Fitting &fitting, Attempt &attempt) {
  for (std::size_t p = 0; p < fitting.pattern.loops.size(); ++p) {
    const Index &wanted = fitting.pattern.loops[p].extent, &extent = attempt.match.extents[p];
    Index known = as_constant(wanted) ? wanted : nullptr;
    if (!known) {
      auto [bound, is_new] = attempt.match.sizes.emplace(wanted->name, extent);
      known = is_new ? extent : bound->second;
    }
    if (as_constant(fitting.outside.simplify(sub(known, extent))) != 0)
      return refuse(fitting, attempt,
                    fmt::format("{} has {} iterations, not {}", loop_of(fitting, attempt, p).var,
                                to_string(extent), to_string(known)));
  }
  return true;
}

} // namespace atl::accel
