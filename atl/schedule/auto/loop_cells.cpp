#include "atl/schedule/auto/loop_cells.h"

#include "atl/schedule/auto/windows.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

constexpr std::int64_t cells_across = 8, bytes_across = 16; // of a tile that is read across

Candidate in_vectors(const LoopSubject &s, const std::string &strategy) {
  return s.candidate(fmt::format("vectors of {} cells", s.vectors->lanes), {s.use(strategy)
                                                                                .name(s.nest.tensor)
                                                                                .name(s.nest.loops.back().var)
                                                                                .names(short_sums_of(s.nest))
                                                                                .number(s.vectors->lanes)
                                                                                .step()});
}

// A window: reductions down its columns, once for a line, and then those across.
std::optional<Candidate> in_two_steps(const LoopSubject &s) {
  const std::optional<Window> window = window_of(s.nest, s.kernel());
  if (!window)
    return std::nullopt;
  std::set<std::string> taken = names_in(s.kernel());
  const std::string part = take_name("part", taken);
  std::vector<Step> steps = down_then_across(s.nest, *window, part, s.span);
  steps.push_back(s.in_vectors("cells_in_vectors")
                      .name(s.nest.tensor)
                      .name(s.nest.loops.back().var)
                      .names({})
                      .number(s.vectors->lanes)
                      .step());
  return Candidate{
      fmt::format("reductions over {} once for a line, those over {} of these; vectors of {} cells",
                  window->down.var, window->across.var, s.vectors->lanes),
      {s.of_tensor(std::move(steps)), part_in_vectors(part, part, *s.vectors, s.span)}};
}

// The loop along which a tensor is read that is read across the columns.
std::optional<std::size_t> row_read_across(const LoopSubject &s) {
  for (const Access &read : s.nest.reads)
    for (std::size_t i = 0; i + 1 < s.nest.loops.size(); ++i)
      if (reads_along(read, s.loop(i)) == Along::cell_by_cell)
        return i;
  return std::nullopt;
}

Candidate in_tiles(const LoopSubject &s, std::size_t row) {
  return s.candidate("read across: in tiles that stay in the cache",
                     with_row(s, row,
                              s.use("cells_in_tiles")
                                  .name(s.loop(row))
                                  .name(s.nest.loops.back().var)
                                  .number(byte_size(s.nest.elem) == 1 ? bytes_across : cells_across)
                                  .number(cells_across)
                                  .step()));
}

Candidate in_periods(const LoopSubject &s) {
  return s.candidate(fmt::format("{} cells at a time, for which remainders are known", *s.nest.period),
                     {s.use("cells_in_periods").name(s.nest.loops.back().var).number(*s.nest.period).step()});
}

} // namespace

std::vector<Candidate> candidates_for_cells(const LoopSubject &s) {
  const std::string &column = s.nest.loops.back().var;
  std::vector<Candidate> found;
  if (s.nest.period)
    found.push_back(in_periods(s));
  const bool across = std::any_of(s.nest.reads.begin(), s.nest.reads.end(),
                                  [&](const Access &read) { return !fits_vectors(s, read, column); });
  if (s.vectors && !across && fills_lanes(s.nest, *s.vectors)) {
    if (auto candidate = in_two_steps(s))
      found.push_back(std::move(*candidate));
    if (s.vectors->masks)
      found.push_back(in_vectors(s, "cells_in_vectors"));
    found.push_back(in_vectors(s, "cells_in_vectors_unmasked")); // few types have all the masks
  }
  if (const auto row = row_read_across(s); row && across)
    found.push_back(in_tiles(s, *row));
  return found;
}

} // namespace atl::schedule
