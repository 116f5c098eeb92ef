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

bool has_partial_results(const Nest &nest, const rewrites::Work &work, Span span) {
  return !has_fewer(nest.sums, few_terms) && subject_of(nest, work, span).combiner.has_value();
}

// Vectors of partial results are made of the sums that have no other kind inside. Where there is one cell
// only, several of the temporary need not wait for each other.
bool gains(Nest nest, const rewrites::Work &work, Span span) {
  if (nest.loops.empty() && is_float(nest.elem))
    return true;
  for (auto inner = first_of_another_kind(nest); inner < nest.sums.size();
       inner = first_of_another_kind(nest)) {
    if (has_fewer(std::span(nest.sums).first(inner), few_cells))
      return false;
    nest.sums.erase(nest.sums.begin(), nest.sums.begin() + static_cast<std::ptrdiff_t>(inner));
  }
  return has_partial_results(nest, work, span);
}

// One reduction over several loops, the last of which goes along rows: each row is one of its own.
bool has_rows(Nest nest, const rewrites::Work &work, Span span) {
  if (nest.loops.empty() || nest.sums.size() < 2 || roles_of(nest))
    return false;
  nest.sums.erase(nest.sums.begin(), nest.sums.end() - 1);
  return is_read_along_sum(subject_of(nest, work, span)) && has_partial_results(nest, work, span);
}

// The first loop of what is computed apart.
std::optional<std::size_t> first_inner(const Nest &nest, const rewrites::Work &work, Span span) {
  if (!nest.guarded_sums.empty())
    return std::nullopt;
  const std::size_t inner = first_of_another_kind(nest);
  if (inner < nest.sums.size())
    return gains(nest, work, span) ? std::optional(inner) : std::nullopt;
  return has_rows(nest, work, span) ? std::optional(nest.sums.size() - 1) : std::nullopt;
}

// For few terms the kernel may stay together.
std::optional<Pred> few_terms_of(const Nest &nest, std::size_t inner, const TypedKernel &kernel) {
  const Pred few = less_than(nest.sums[inner], few_terms);
  const bool is_innermost = nest.sums[inner].reduction == nest.sums.back().reduction;
  return is_innermost && is_of_sizes(few, kernel) ? std::optional(few) : std::nullopt;
}

// `of_few`: a version for few terms.
Candidate apart(const Nest &nest, std::size_t inner, const std::optional<Step> &of_few,
                const TypedKernel &kernel, Span span) {
  const std::string &sum = nest.sums[inner].var;
  std::set<std::string> taken = names_in(kernel);
  const std::string sums = take_name("sums", taken);
  std::string reason = fmt::format("reductions over {} in a temporary", sum);
  std::vector<std::string> place{sums, "at", "root"};
  if (!nest.loops.empty()) {
    const std::string &cell = nest.loops.back().var;
    place = {sums, "at", cell, "in", nest.tensor};
    reason += fmt::format(" for each {}", cell);
  }
  std::vector<Step> steps{plain_step("accumulate", {sum, "in", nest.tensor, "as", sums}, span),
                          plain_step("compute", place, span)};
  if (of_few) {
    steps.insert(steps.begin(), *of_few);
    reason += fmt::format(", but for less than {}", few_terms);
  }
  return {std::move(reason), std::move(steps)};
}

std::vector<Candidate> candidates(const Nest &nest, std::size_t inner, const std::optional<Pred> &few,
                                  const rewrites::Work &work, Span span) {
  std::vector<Candidate> found;
  auto add = [&](const std::optional<Step> &of_few) {
    found.push_back(apart(nest, inner, of_few, work.kernel, span));
  };
  if (few && first_of_another_kind(nest) < nest.sums.size())
    for (const Candidate &together : candidates_for_sums(subject_of(nest, work, span)))
      add(specialize_step(*few, together.steps, span));
  add(few ? std::optional(specialize_step(*few, {}, span)) : std::nullopt);
  return found;
}

} // namespace

std::optional<Decision> inner_sums_apart(const rewrites::Work &work, Span span,
                                         std::set<std::string> &decided) {
  if (!work.hardware)
    return std::nullopt;
  for (const Nest &nest : nests_of(work.kernel)) {
    const auto inner = first_inner(nest, work, span);
    if (!inner || !decided.insert("sums inside " + nest.tensor).second)
      continue;
    auto few = few_terms_of(nest, *inner, work.kernel);
    if (few && !decided.insert("version for " + to_string(*few)).second)
      few.reset(); // that version has been made
    return Decision{nest.tensor, candidates(nest, *inner, few, work, span)};
  }
  return std::nullopt;
}

} // namespace atl::schedule
