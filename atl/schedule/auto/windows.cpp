#include "atl/schedule/auto/windows.h"

#include "atl/schedule/auto/roles.h"
#include "atl/schedule/auto/uses.h"

namespace atl::schedule {

namespace {

// Whether the cells of the access that a column reads are those that others read, at another `across`.
bool slides(const Access &access, const std::string &column, const std::string &across,
            const std::string &down) {
  bool moves = false;
  for (const Index &index : access.indices) {
    const bool along = mentions(index, column) || mentions(index, across);
    if (along && (mentions(index, down) || !moves_with(index, column) || !moves_with(index, across)))
      return false;
    moves = moves || along;
  }
  return moves;
}

} // namespace

std::optional<Window> window_of(const Nest &nest, const TypedKernel &kernel) {
  constexpr std::int64_t fewest = 3; // of as many terms, the temporary does not cost more
  if (nest.window.size() != 2 || nest.loops.size() < 2 ||
      (is_float(nest.elem) && !kernel.rounding.allowed.contains(Rounding::reorder)))
    return std::nullopt;
  for (const LoopHead &loop : nest.window)
    if (as_constant(sub(loop.hi, loop.lo)).value_or(0) < fewest)
      return std::nullopt;
  const std::string &column = nest.loops.back().var;
  for (const Window &window :
       {Window{nest.window[0], nest.window[1]}, Window{nest.window[1], nest.window[0]}}) {
    int windows = 0;
    bool fits = true;
    for (const Access &read : nest.reads) {
      const bool is_window = reads_along(read, window.across.var) != Along::not_at_all &&
                             reads_along(read, window.down.var) != Along::not_at_all;
      windows += is_window ? 1 : 0;
      fits = fits && (!is_window || slides(read, column, window.across.var, window.down.var));
    }
    if (fits && windows == 1)
      return window;
  }
  return std::nullopt;
}

std::vector<Step> down_then_across(const Nest &nest, const Window &window, const std::string &part,
                                   Span span) {
  std::vector<Step> steps;
  if (window.down.var != nest.window[1].var)
    steps.push_back(reorder_step({window.across.var, window.down.var}, span));
  steps.push_back(Use(nest.weighs ? "weighted_down_then_across" : "down_then_across", span)
                      .name(nest.tensor)
                      .name(part)
                      .name(nest.loops[nest.loops.size() - 2].var)
                      .name(window.across.var)
                      .name(window.down.var)
                      .step());
  return steps;
}

Step part_in_vectors(const std::string &part, const std::string &copy, const Vectors &vectors, Span span) {
  return within_step(copy,
                     {Use(strategy_for(vectors, "cells_in_vectors"), span)
                          .name(copy)
                          .name(part + ".p0")
                          .names({})
                          .number(vectors.lanes)
                          .step()},
                     span);
}

} // namespace atl::schedule
