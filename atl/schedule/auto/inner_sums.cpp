#include "atl/schedule/auto/inner_sums.h"

#include "atl/schedule/auto/loop_subject.h"
#include "atl/schedule/auto/loop_sums.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace atl::schedule {

namespace {

// To combine partial results takes longer than to add up few terms; few cells do not fill a tile.
constexpr std::int64_t few_terms = 8, few_cells = 8;

// Where the loops of another reduction begin; none: it is one reduction.
std::size_t first_of_another_kind(const Nest &nest) {
  const auto found = std::find_if(nest.sums.begin(), nest.sums.end(), [&](const LoopHead &loop) {
    return loop.reduction != nest.sums[0].reduction;
  });
  return static_cast<std::size_t>(found - nest.sums.begin());
}

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

// For few terms the kernel stays together, and `of_few` is done about it.
Candidate apart(const Nest &nest, std::size_t inner, std::vector<Step> of_few, const TypedKernel &kernel,
                Span span) {
  const std::string &sum = nest.sums[inner].var;
  std::set<std::string> taken = names_in(kernel);
  const std::string sums = take_name("sums", taken);
  std::string reason = fmt::format("reductions over {} in a temporary", sum);
  std::vector<Step> steps;
  const auto then = [&](const std::string &step, const std::vector<std::string> &words) {
    steps.push_back(plain_step(step, words, span));
  };
  const Pred few = less_than(nest.sums[inner], few_terms);
  const bool has_few = nest.sums[inner].reduction == nest.sums.back().reduction && is_of_sizes(few, kernel);
  if (has_few)
    steps.push_back(specialize_step(few, std::move(of_few), span));
  then("accumulate", {sum, "in", nest.tensor, "as", sums});
  if (nest.loops.empty()) {
    then("compute", {sums, "at", "root"});
  } else {
    const std::string &cell = nest.loops.back().var;
    then("compute", {sums, "at", cell, "in", nest.tensor});
    reason += fmt::format(" for each {}", cell);
  }
  if (has_few)
    reason += fmt::format(", but for less than {}", few_terms);
  return {std::move(reason), std::move(steps)};
}

std::vector<Candidate> candidates(const Nest &nest, std::size_t inner, const rewrites::Work &work,
                                  Span span) {
  std::vector<Candidate> found;
  for (const Candidate &together : candidates_for_sums(subject_of(nest, work, span)))
    found.push_back(apart(nest, inner, together.steps, work.kernel, span));
  found.push_back(apart(nest, inner, {}, work.kernel, span));
  return found;
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
      return Decision{nest.tensor, candidates(nest, inner, work, span)};
  }
  return std::nullopt;
}

} // namespace atl::schedule
