#include "atl/schedule/auto/inner_sums.h"

#include "atl/schedule/auto/loop_subject.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace atl::schedule {

namespace {

// Where the loops of another reduction begin; none: it is one reduction.
std::size_t first_of_another_kind(const Nest &nest) {
  const auto found = std::find_if(nest.sums.begin(), nest.sums.end(), [&](const LoopHead &loop) {
    return loop.reduction != nest.sums[0].reduction;
  });
  return static_cast<std::size_t>(found - nest.sums.begin());
}

// A vector of partial results has more work with few terms than without any; of few cells, most wait.
constexpr std::int64_t few_terms = 32, few_cells = 8;

bool has_fewer(std::span<const LoopHead> loops, std::int64_t count) {
  std::int64_t product = 1;
  for (const LoopHead &loop : loops) {
    const auto extent = as_constant(extent_of(loop));
    if (!extent || *extent >= count)
      return false;
    product *= *extent;
  }
  return product < count;
}

// Vectors of partial results are made of the sums that have no other kind inside.
bool gains(Nest nest, const rewrites::Work &work, Span span) {
  for (auto inner = first_of_another_kind(nest); inner < nest.sums.size();
       inner = first_of_another_kind(nest)) {
    if (has_fewer(std::span(nest.sums).first(inner), few_cells))
      return false;
    nest.sums.erase(nest.sums.begin(), nest.sums.begin() + static_cast<std::ptrdiff_t>(inner));
  }
  return !has_fewer(nest.sums, few_terms) && subject_of(nest, work, span).combiner.has_value();
}

Candidate apart(const Nest &nest, std::size_t inner, const TypedKernel &kernel, Span span) {
  const std::string &sum = nest.sums[inner].var;
  std::set<std::string> taken = names_in(kernel);
  const std::string sums = take_name("sums", taken);
  const Step accumulate = plain_step("accumulate", {sum, "in", nest.tensor, "as", sums}, span);
  const std::string reason = fmt::format("reductions over {} in a temporary", sum);
  if (nest.loops.empty())
    return {reason, {accumulate, plain_step("compute", {sums, "at", "root"}, span)}};
  const std::string &cell = nest.loops.back().var;
  return {fmt::format("{} for each {}", reason, cell),
          {accumulate, plain_step("compute", {sums, "at", cell, "in", nest.tensor}, span)}};
}

} // namespace

std::optional<Decision> inner_sums_apart(const rewrites::Work &work, Span span,
                                         std::set<std::string> &decided) {
  if (!work.hardware)
    return std::nullopt;
  for (const Nest &nest : nests_of(work.kernel)) {
    const std::size_t inner = first_of_another_kind(nest);
    if (inner < nest.sums.size() && gains(nest, work, span) &&
        decided.insert("sums inside " + nest.tensor).second)
      return Decision{nest.tensor, {apart(nest, inner, work.kernel, span)}};
  }
  return std::nullopt;
}

} // namespace atl::schedule
