#include "atl/schedule/auto/loop_sums.h"

#include "atl/schedule/auto/loop_contractions.h"
#include "atl/schedule/auto/tiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::schedule {

namespace {

// C compilers make no vectors of fewer columns, and keep sums of a cell in a register.
constexpr std::int64_t few_columns = 8, few_columns_of_a_row = 32;
constexpr std::int64_t rows_at_a_time = 8; // of sums that are one after the other
constexpr std::int64_t vectors_of_sum = 4;
constexpr std::int64_t vectors_without_rows = 4;
constexpr std::int64_t rows_of_dots = 3, columns_of_dots = 4;

// The last loop on which the sums depend: those of the loops inside are the same.
const std::string &loop_of_sums(const LoopSubject &s) {
  for (std::size_t i = s.nest.loops.size(); i-- > 0;)
    if (std::any_of(s.nest.reads.begin(), s.nest.reads.end(),
                    [&](const Access &read) { return reads_along(read, s.loop(i)) != Along::not_at_all; }))
      return s.loop(i);
  return s.nest.loops.back().var;
}

// ---- vectors of partial results, which one instruction combines

Step combined(const LoopSubject &s, Use use) {
  return use.number(s.vectors->lanes).name(s.vectors->memory).name(*s.combiner).step();
}

std::string of_partial_results(const LoopSubject &s, const std::vector<std::string> &sums) {
  return fmt::format("a reduction over {}: {} vectors of {} partial results", fmt::join(sums, ", "),
                     vectors_of_sum, s.vectors->lanes);
}

// A result that is one number.
std::vector<Candidate> sum_of_all(const LoopSubject &s) {
  const TypedKernel &kernel = s.kernel();
  if (!s.combiner || kernel.results.size() != 1 || s.nest.tensor != kernel.outputs[0].name ||
      !is_read_along_sum(s))
    return {};
  Use use = s.use("sum_in_vectors");
  use.names({s.sums.begin(), s.sums.end() - 1}).name(s.sums.back()).number(vectors_of_sum);
  return {{of_partial_results(s, s.sums), {combined(s, use)}}};
}

std::vector<Candidate> sum_of_row(const LoopSubject &s) {
  if (!s.combiner || !is_read_along_sum(s))
    return {};
  Use use = s.use("sum_of_row");
  use.name(s.nest.tensor).name(s.sums[0]).number(vectors_of_sum);
  return {s.candidate(of_partial_results(s, {s.sums[0]}), {combined(s, use)})};
}

std::optional<Candidate> partial_sums(const LoopSubject &s) {
  const Index terms = extent_of(s.nest.sums[0]);
  const std::string reason =
      fmt::format("reductions over {}: vectors of {} partial results", s.sums[0], s.vectors->lanes);
  if (!s.roles) {
    Use rows = s.use("dot_rows");
    rows.name(loop_of_sums(s)).name(s.sums[0]).index(terms).number(rows_at_a_time);
    return s.candidate(fmt::format("{}, {} cells at a time", reason, rows_at_a_time), {combined(s, rows)});
  }
  const std::size_t row = *s.roles->row;
  const Pred few = less_than(s.nest.loops[row], rows_worth_a_copy);
  Use dots = s.use("dots");
  dots.name(s.loop(row)).name(s.loop(s.roles->column)).name(s.sums[0]).index(terms);
  const std::vector<Step> steps =
      with_row(s, row, combined(s, dots.number(rows_of_dots).number(columns_of_dots)));
  const std::optional<bool> known = evaluate(few, {});
  if (known == true)
    return s.candidate(reason, steps);
  if (known || !is_of_sizes(few, s.kernel()))
    return std::nullopt;
  Candidate turned = turned_contraction(s);
  turned.reason = fmt::format("{} for less than {} rows; else tiles, {} copied and turned", reason,
                              rows_worth_a_copy, s.roles->panel.tensor);
  turned.steps.insert(turned.steps.begin(), specialize_step(few, {s.of_tensor(steps)}, s.span));
  return turned;
}

// ---- vectors of columns

std::vector<Candidate> sums_in_vectors(const LoopSubject &s) {
  if (s.roles->row && s.roles->turned)
    return {turned_contraction(s)};
  if (s.roles->row)
    return contractions_in_tiles(s);
  return {s.candidate(
      fmt::format("{}: {} vectors of {}", reductions_in_words(s), vectors_without_rows, s.vectors->lanes),
      {s.in_vectors("sums_in_vectors")
           .name(s.loop(s.roles->column))
           .name(s.sums[0])
           .names(s.other_sums())
           .number(vectors_without_rows)
           .number(s.vectors->lanes)
           .name(s.vectors->memory)
           .step()})};
}

std::vector<Step> in_columns(const LoopSubject &s) {
  if (!s.roles->row)
    return {s.use("sums_portable")
                .name(s.loop(s.roles->column))
                .name(s.sums[0])
                .names(s.other_sums())
                .number(portable_columns)
                .step()};
  return with_row(s, *s.roles->row, contraction_for_compilers(s));
}

std::vector<Candidate> sums_for_compilers(const LoopSubject &s) {
  const std::int64_t least = s.roles->row ? few_columns : few_columns_of_a_row;
  const Pred few = less_than(s.nest.loops[s.roles->column], least);
  const std::optional<bool> known = evaluate(few, {});
  if (known == true)
    return {};
  Candidate columns =
      s.candidate(reductions_in_words(s) + "; C compilers make vectors of the columns", in_columns(s));
  if (!known && is_of_sizes(few, s.kernel())) {
    columns.reason += fmt::format(", as it is for less than {}", least);
    columns.steps.insert(columns.steps.begin(), specialize_step(few, {}, s.span));
  }
  return {columns};
}

// A term takes less time than it waits for the sum of those before. Sums of integers, or those in which a
// guard leaves out all terms, are left to C compilers.
bool waits(const Nest &nest) {
  return is_float(nest.elem) && !nest.skips_sums && !nest.calls;
}

Candidate side_by_side(const LoopSubject &s) {
  return s.candidate(
      fmt::format("reductions over {}: {} cells at a time, so that one does not wait for the other",
                  fmt::join(s.sums, ", "), rows_at_a_time),
      {s.use("rows_side_by_side")
           .name(loop_of_sums(s))
           .name(s.sums[0])
           .names(s.other_sums())
           .number(rows_at_a_time)
           .step()});
}

} // namespace

std::vector<Candidate> candidates_for_sums(const LoopSubject &s) {
  std::vector<Candidate> found;
  auto add = [&](std::vector<Candidate> more) {
    std::move(more.begin(), more.end(), std::back_inserter(found));
  };
  if (s.nest.loops.empty()) {
    if (!s.nest.is_inside)
      add(sum_of_all(s));
    add(sum_of_row(s));
    return found;
  }
  if (s.combiner && (!s.roles || s.roles->turned) && is_read_along_sum(s))
    if (auto candidate = partial_sums(s))
      add({*candidate});
  if (s.roles && s.vectors)
    add(sums_in_vectors(s));
  if (s.roles && !s.roles->turned)
    add(sums_for_compilers(s));
  if ((!s.roles || s.roles->turned) && waits(s.nest))
    add({side_by_side(s)});
  return found;
}

} // namespace atl::schedule
