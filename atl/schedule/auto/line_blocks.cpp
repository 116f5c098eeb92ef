#include "atl/schedule/auto/line_blocks.h"

#include "atl/index/facts.h"
#include "atl/schedule/auto/machine.h"
#include "atl/schedule/auto/operations.h"
#include "atl/schedule/auto/uses.h"
#include "atl/syntax/names.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

constexpr std::int64_t most_lines = 6;   // of a block
constexpr std::int64_t fewest_reads = 5; // of fewer lines, it is slower unless all vectors are aligned

// How many lines of the temporary a line of the reader needs, if it reads them in its own column: [y + 2, x].
std::optional<std::int64_t> lines_above_each_other(const Nest &reader, const std::string &tensor) {
  const std::string &line = reader.loops[0].var, &column = reader.loops[1].var;
  std::int64_t last = 0;
  for (const Access &read : reader.reads)
    if (read.tensor == tensor) {
      const auto down = as_constant(Facts().simplify(sub(read.indices[0], variable(line))));
      if (!down || *down < 0 || !equal(read.indices[1], variable(column)))
        return std::nullopt;
      last = std::max(last, *down);
    }
  return last + 1;
}

bool has_plain_cells(const Nest &nest) {
  return nest.loops.size() == 2 && nest.sums.empty() && nest.short_sums.empty() && !nest.calls;
}

} // namespace

std::optional<Candidate> in_blocks_of_lines(const TypedKernel &kernel, const std::vector<Nest> &nests,
                                            const Hardware &hardware, Span span) {
  if (kernel.lets.size() != 1 || kernel.results.size() != 1 || nests.size() != 2 ||
      !has_plain_cells(nests[0]) || !has_plain_cells(nests[1]))
    return std::nullopt;
  const Nest &temporary = nests[0], &result = nests[1];
  const auto vectors = vectors_for(temporary, hardware), of_result = vectors_for(result, hardware);
  const auto lines = lines_above_each_other(result, temporary.tensor);
  if (!lines || *lines < fewest_reads || !vectors || !of_result || vectors->lanes != of_result->lanes ||
      !vectors->masks || !fills_lanes(temporary, *vectors) || !fills_lanes(result, *vectors))
    return std::nullopt;
  const std::int64_t height = std::min(most_lines, vectors->registers / 2 - (*lines - 1));
  const std::int64_t again = operations_in(kernel.lets[0].value, false) * (*lines - 1);
  if (height < 2 || again > operations_for_a_store * height)
    return std::nullopt;
  std::vector<Step> steps{Use("blocks_of_lines", span)
                              .name(temporary.tensor)
                              .name(result.loops[0].var)
                              .name(result.loops[1].var)
                              .number(height)
                              .number(vectors->lanes)
                              .step()};
  std::set<std::string> taken = names_in(kernel);
  for (int copy = 0; copy < 3; ++copy) { // for whole vectors, for the last columns, for the last lines
    const std::string &name = copy == 0 ? temporary.tensor : take_name(temporary.tensor, taken);
    steps.push_back(within_step(name,
                                {Use("lines_in_registers", span)
                                     .name(name)
                                     .name(temporary.loops[0].var)
                                     .name(temporary.loops[1].var)
                                     .name(vectors->memory)
                                     .step()},
                                span));
  }
  return Candidate{
      fmt::format("blocks of {} lines, with what they need of {} in registers", height, temporary.tensor),
      std::move(steps)};
}

} // namespace atl::schedule
