#include "atl/schedule/auto/pipeline.h"

#include "atl/index/known.h"
#include "atl/schedule/auto/loops.h"
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

// That are done again rather than to store and load; what C compilers make of the loops has narrow vectors.
constexpr std::int64_t operations_for_a_store = 12, operations_without_hardware = 4;
constexpr std::int64_t often = 1000;                           // as often as that, or more
constexpr std::int64_t lowest_strip = 16, highest_strip = 128; // lines
constexpr std::int64_t strip_by_border =
    4; // a strip has so many times the lines that it computes in addition

// About how many simple ones a scalar operation takes. Many CPUs multiply vectors of long integers by several
// instructions; those of hardware that is described have one at least for those of 32 bits.
std::int64_t weight(const Expr &e, bool on_any_cpu) {
  if (const Op *op = std::get_if<Op>(&e.node)) {
    const bool is_slow = op->op->effort != Effort::little;
    const bool is_long =
        on_any_cpu && op->op->name == "*" && !is_float(e.type->elem) && byte_size(e.type->elem) >= 4;
    return is_slow ? 8 : is_long ? 6 : 1;
  }
  const bool is_simple = std::holds_alternative<Convert>(e.node) || std::holds_alternative<Select>(e.node) ||
                         std::holds_alternative<Reduce>(e.node);
  return is_simple ? 1 : 0;
}

std::int64_t operations_in(const ExprPtr &e, bool on_any_cpu) {
  std::int64_t sum = weight(*e, on_any_cpu);
  for (const ExprPtr &child : children(*e))
    sum += operations_in(child, on_any_cpu);
  return sum;
}

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
    std::vector<std::string> temporaries; // the last one first
    for (const Nest &nest : nests_)
      if (&nest != &result_) {
        const auto lines = border(nest, result_.loops[line], known_in(kernel_));
        if (!lines)
          return std::nullopt;
        most = std::max(most, *lines);
        temporaries.insert(temporaries.begin(), nest.tensor);
      }
    const std::int64_t height = std::clamp(most * strip_by_border, lowest_strip, highest_strip);
    if (in_two_steps && !sum_in_two_steps())
      return std::nullopt;
    write_out_short_sums();
    move_out(line);
    steps_.push_back(
        Use("strips", span_).names(temporaries).name(result_.loops[line].var).number(height).step());
    for (const Nest &nest : nests_)
      add_vectors(nest, result_.loops[line].var);
    return Candidate{fmt::format("strips of {} lines, with what they need of {}{}", height,
                                 fmt::join(temporaries.rbegin(), temporaries.rend(), ", "),
                                 in_two_steps ? "; windows down, then across" : ""),
                     std::move(steps_)};
  }

private:
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
  for (bool in_two_steps : {true, false})
    if (auto candidate = Strips(nests, kernel, hardware, span).candidate(*line, in_two_steps))
      decision.candidates.push_back(std::move(*candidate));
  return decision.candidates.empty() ? std::nullopt : std::optional(std::move(decision));
}

} // namespace atl::schedule
