#include "atl/schedule/auto/pipeline.h"

#include "atl/index/known.h"
#include "atl/schedule/auto/line_blocks.h"
#include "atl/schedule/auto/loops.h"
#include "atl/schedule/auto/operations.h"
#include "atl/schedule/auto/roles.h"
#include "atl/schedule/auto/uses.h"
#include "atl/schedule/auto/windows.h"
#include "atl/syntax/names.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace atl::schedule {

namespace {

constexpr std::int64_t operations_without_hardware = 4; // what C compilers make of loops has narrow vectors
constexpr std::int64_t often = 1000;                    // as often as that, or more
constexpr std::int64_t lowest_strip = 16, highest_strip = 128; // lines
constexpr std::int64_t strip_by_border =
    4; // a strip has so many times the lines that it computes in addition

// Cells that lie side by side read others that do not, such as x[i / 2]: no vectors are made of these loops.
bool gathers(const Nest &nest) {
  const std::string &column = nest.loops.back().var;
  return std::any_of(nest.reads.begin(), nest.reads.end(), [&](const Access &read) {
    return std::any_of(read.indices.begin(), read.indices.end(), [&](const Index &index) {
      return mentions(index, column) && !stride_along(index, column);
    });
  });
}

// How often the cells of a nest read one cell of another: for each access once, and as often as loops run
// that it does not depend on.
std::int64_t times_read(const Nest &nest, const std::string &tensor) {
  std::int64_t count = 0;
  for (const Access &access : nest.reads) {
    std::int64_t times = access.tensor == tensor ? 1 : 0;
    for (const LoopHead &loop : nest.loops)
      if (times > 0 && reads_along(access, loop.var) == Along::not_at_all)
        times *= std::clamp<std::int64_t>(as_constant(sub(loop.hi, loop.lo)).value_or(often), 1, often);
    count += std::min(times, often);
  }
  return count;
}

const Nest *find_nest(const std::vector<Nest> &nests, const std::string &tensor) {
  const auto found =
      std::find_if(nests.begin(), nests.end(), [&](const Nest &nest) { return nest.tensor == tensor; });
  return found == nests.end() ? nullptr : &*found;
}

// All that read it compute cells by themselves, without long reductions; in vectors, if it does.
bool is_read_cell_by_cell(const TypedKernel &kernel, const std::vector<Nest> &nests, const Nest &read) {
  const std::string &tensor = read.tensor;
  auto fits = [&](const std::string &name, const ExprPtr &value) {
    const Nest *nest = find_nest(nests, name);
    return !reads(value, tensor) ||
           (nest && nest->sums.empty() && nest->short_sums.empty() && gathers(*nest) == gathers(read));
  };
  for (const Binding &let : kernel.lets)
    if (!fits(let.name, let.value))
      return false;
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    if (!fits(kernel.outputs.at(i).name, kernel.results[i]))
      return false;
  return true;
}

// Of temporaries with as many dimensions, the loop of the result that goes along their first one.
std::optional<std::size_t> line_of(const std::vector<Nest> &nests) {
  const std::size_t rank = nests.front().loops.size();
  for (const Nest &nest : nests)
    if (!nest.sums.empty() || nest.loops.size() < 2 || (&nest != &nests.back() && nest.loops.size() != rank))
      return std::nullopt;
  const std::size_t of_result = nests.back().loops.size();
  return of_result < rank ? std::nullopt : std::optional(of_result - rank);
}

// By how many lines more than the result a temporary has.
std::optional<std::int64_t> border(const Nest &temporary, const LoopHead &line, const Known &known) {
  const LoopHead &own = temporary.loops[0];
  const Index more = sub(sub(own.hi, own.lo), sub(line.hi, line.lo));
  return as_constant(known.facts().simplify(more));
}

// Whether the reader has lines, and each of them reads no other line of it.
bool reads_its_line(const Nest &reader, const LoopHead *line, const std::string &tensor) {
  return std::all_of(reader.reads.begin(), reader.reads.end(), [&](const Access &read) {
    return read.tensor != tensor || (line && equal(read.indices.at(0), variable(line->var)));
  });
}

// No more lines than a strip.
bool has_few(const LoopHead &line) {
  const std::optional<std::int64_t> lines = as_constant(sub(line.hi, line.lo));
  return lines && *lines <= lowest_strip;
}

// Strips while they are made.
class Strips {
public:
  Strips(const std::vector<Nest> &nests, const TypedKernel &kernel, const Hardware *hardware, Span span)
      : nests_(nests), result_(nests.back()), kernel_(kernel), hardware_(hardware), span_(span),
        taken_(names_in(kernel)) {}

  // Nothing where the lines cannot be counted, or there are no windows to sum up in two steps.
  std::optional<Candidate> candidate(std::size_t line, bool in_two_steps) {
    std::int64_t most = 0;
    std::vector<std::string> of_strip, of_line; // the last one first
    for (auto nest = nests_.rbegin() + 1; nest != nests_.rend(); ++nest) {
      const auto lines = border(*nest, result_.loops[line], known_in(kernel_));
      if (!lines)
        return std::nullopt;
      most = std::max(most, *lines);
      (serves_one_line(*nest, line, of_line) ? of_line : of_strip).push_back(nest->tensor);
    }
    const std::int64_t height = std::clamp(most * strip_by_border, lowest_strip, highest_strip);
    if (in_two_steps && !sum_in_two_steps())
      return std::nullopt;
    write_out_short_sums();
    move_out(line);
    steps_.push_back(Use("strips", span_)
                         .names(of_strip)
                         .names(of_line)
                         .name(result_.loops[line].var)
                         .number(height)
                         .step());
    for (const Nest &nest : nests_)
      add_vectors(nest, result_.loops[line].var);
    return Candidate{reason(height, of_strip, of_line, in_two_steps), std::move(steps_)};
  }

private:
  static std::string reason(std::int64_t height, const std::vector<std::string> &of_strip,
                            const std::vector<std::string> &of_line, bool in_two_steps) {
    std::string text = fmt::format("strips of {} lines", height);
    if (!of_strip.empty())
      text += fmt::format(", with what they need of {}", fmt::join(of_strip.rbegin(), of_strip.rend(), ", "));
    if (!of_line.empty())
      text += fmt::format(", line by line {}", fmt::join(of_line.rbegin(), of_line.rend(), ", "));
    return in_two_steps ? text + "; windows down, then across" : text;
  }

  // `of_line` are those behind it that do.
  bool serves_one_line(const Nest &temporary, std::size_t line,
                       const std::vector<std::string> &of_line) const {
    return std::all_of(nests_.begin(), nests_.end(), [&](const Nest &reader) {
      const bool is_of_line = std::find(of_line.begin(), of_line.end(), reader.tensor) != of_line.end();
      const LoopHead *own = &reader == &result_ ? &reader.loops[line]
                            : is_of_line        ? &reader.loops[0]
                                                : nullptr;
      return reads_its_line(reader, own, temporary.tensor);
    });
  }

  std::optional<Vectors> vectors_of(const Nest &nest) const {
    const auto vectors = hardware_ ? vectors_for(nest, *hardware_) : std::nullopt;
    return vectors && fills_lanes(nest, *vectors) ? vectors : std::nullopt;
  }

  bool sum_in_two_steps() {
    for (const Nest &nest : nests_)
      if (const auto window = window_of(nest, kernel_); window && vectors_of(nest)) {
        parts_[nest.tensor] = take_name("part", taken_);
        steps_.push_back(
            within_step(nest.tensor, down_then_across(nest, *window, parts_.at(nest.tensor), span_), span_));
      }
    return !parts_.empty();
  }

  // Now, as their loops get other names in the copies of temporaries.
  void write_out_short_sums() {
    for (const Nest &nest : nests_)
      for (const std::string &sum :
           parts_.contains(nest.tensor) ? std::vector<std::string>() : short_sums_of(nest))
        steps_.push_back(plain_step("unroll", {"every", sum, "in", nest.tensor}, span_));
  }

  void move_out(std::size_t line) {
    if (line == 0)
      return;
    std::vector<std::string> order{result_.loops[line].var};
    for (std::size_t i = 0; i < result_.loops.size(); ++i)
      if (i != line)
        order.push_back(result_.loops[i].var);
    steps_.push_back(reorder_step(order, span_));
  }

  void add_vectors(const Nest &nest, const std::string &line) {
    const auto vectors = vectors_of(nest);
    if (!vectors)
      return;
    const std::string &column = nest.loops.back().var;
    const auto part = parts_.find(nest.tensor);
    if (&nest == &result_)
      steps_.push_back(Use(strategy_for(*vectors, "results_in_strips"), span_)
                           .name(line)
                           .name(column)
                           .number(vectors->lanes)
                           .step());
    for (bool is_last : {false, true}) { // of the strips
      auto copy_of = [&](const std::string &tensor) { return is_last ? take_name(tensor, taken_) : tensor; };
      const std::string copy = &nest == &result_ ? nest.tensor : copy_of(nest.tensor);
      if (part != parts_.end())
        add_part(nest, copy, part->second, copy_of(part->second), *vectors);
      if (&nest != &result_)
        steps_.push_back(within_step(copy,
                                     {Use(strategy_for(*vectors, "cells_in_vectors"), span_)
                                          .name(copy)
                                          .name(part == parts_.end() ? column : column_inside(nest))
                                          .names({})
                                          .number(vectors->lanes)
                                          .step()},
                                     span_));
    }
  }

  // A temporary that is computed for a strip has it inside of all its loops; the columns then have no name of
  // their own.
  void add_part(const Nest &nest, const std::string &reader, const std::string &part, const std::string &copy,
                const Vectors &vectors) {
    if (&nest != &result_)
      steps_.push_back(
          plain_step("compute", {copy, "at", nest.loops[nest.loops.size() - 2].var, "in", reader}, span_));
    steps_.push_back(part_in_vectors(part, copy, vectors, span_));
  }
  static std::string column_inside(const Nest &nest) { return fmt::format("c{}", nest.loops.size() - 1); }

  const std::vector<Nest> &nests_;
  const Nest &result_;
  const TypedKernel &kernel_;
  const Hardware *hardware_;
  Span span_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> parts_; // of sums over windows, by tensor
  std::vector<Step> steps_;
};

} // namespace

std::optional<Decision> inlined(const TypedKernel &kernel, const Hardware *hardware,
                                const std::set<std::string> &decided, Span span) {
  const std::vector<Nest> nests = nests_of(kernel);
  if (hardware && in_blocks_of_lines(kernel, nests, *hardware, span))
    return std::nullopt; // where it is computed again less often
  const std::int64_t most = hardware ? operations_for_a_store : operations_without_hardware;
  for (auto let = kernel.lets.rbegin(); let != kernel.lets.rend(); ++let) {
    const Nest *nest = find_nest(nests, let->name);
    if (!nest || !nest->sums.empty() || decided.contains("inline " + let->name) ||
        !is_read_cell_by_cell(kernel, nests, *nest))
      continue;
    std::int64_t times = 0;
    for (const Nest &reader : nests)
      times += times_read(reader, let->name);
    const std::int64_t again = operations_in(let->value, !hardware) * std::max<std::int64_t>(times - 1, 0);
    if (again <= most)
      return Decision{let->name,
                      {{fmt::format("computed where it is read, which takes {} more operations", again),
                        {plain_step("inline", {let->name}, span)}}}};
  }
  return std::nullopt;
}

std::optional<Decision> in_strips(const TypedKernel &kernel, const Hardware *hardware, Span span) {
  const std::vector<Nest> nests = nests_of(kernel);
  if (kernel.results.size() != 1 || kernel.lets.empty() || nests.size() != kernel.lets.size() + 1)
    return std::nullopt;
  const auto line = line_of(nests);
  if (!line || has_few(nests.back().loops[*line]))
    return std::nullopt;
  Decision decision{nests.back().tensor, {}};
  if (auto candidate = hardware ? in_blocks_of_lines(kernel, nests, *hardware, span) : std::nullopt)
    decision.candidates.push_back(std::move(*candidate));
  for (bool in_two_steps : {true, false})
    if (auto candidate = Strips(nests, kernel, hardware, span).candidate(*line, in_two_steps))
      decision.candidates.push_back(std::move(*candidate));
  return decision.candidates.empty() ? std::nullopt : std::optional(std::move(decision));
}

} // namespace atl::schedule
