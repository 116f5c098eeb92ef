#include "atl/schedule/auto/choose.h"

#include "atl/schedule/auto/around_the_end.h"
#include "atl/schedule/auto/blocks.h"
#include "atl/schedule/auto/inner_sums.h"
#include "atl/schedule/auto/loops.h"
#include "atl/schedule/auto/pipeline.h"
#include "atl/schedule/auto/several_sums.h"
#include "atl/schedule/auto/uses.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace atl::schedule {

namespace {

// Loops that the program itself vectorizes need not have the lanes of the hardware.
std::optional<Decision> vectorized_as_written(const TypedKernel &kernel, Span span) {
  std::vector<std::string> loops;
  for_each_node(kernel, [&](const Path &, const ExprPtr &e) {
    const auto loop = loop_head(e);
    if (loop && loop->mode == LoopMode::vectorized &&
        std::find(loops.begin(), loops.end(), loop->var) == loops.end())
      loops.push_back(loop->var);
  });
  if (loops.empty())
    return std::nullopt;
  std::vector<Step> in_order;
  for (const std::string &loop : loops)
    in_order.push_back(plain_step("sequential", {"every", loop}, span));
  return Decision{fmt::format("{}", fmt::join(loops, ", ")),
                  {{"vectorized, as the program says", {}},
                   {"not vectorized, as no instructions do what they do", std::move(in_order)}}};
}

// The first one that is not decided, and for which there are strategies.
std::optional<Decision> of_a_nest(const std::vector<Nest> &nests, const rewrites::Work &work, Span span,
                                  std::set<std::string> &decided) {
  for (const Nest &nest : nests)
    if (decided.insert(nest.tensor).second)
      if (auto candidates = candidates_for(nest, work, span); !candidates.empty())
        return Decision{nest.tensor, std::move(candidates)};
  return std::nullopt;
}

} // namespace

// First how sums round, then which temporaries stay and which are made, whether these are computed in strips,
// then each nest that is left. No tensor has a name with a space, so those are no names of nests.
std::optional<Decision> next_decision(const rewrites::Work &work, Span span, std::set<std::string> &decided) {
  const TypedKernel &kernel = work.kernel;
  const Hardware *hardware = work.hardware;
  if (decided.insert("how sums round").second && work.requests && !work.requests->contracts &&
      kernel.rounding.allowed.contains(Rounding::contract))
    return Decision{kernel.name, {{"rounding contract", {plain_step("contract", {}, span)}}}};
  if (hardware && decided.insert("vectorized loops").second)
    if (auto decision = vectorized_as_written(kernel, span))
      return decision;
  if (auto decision = inlined(kernel, hardware, decided, span)) {
    decided.insert("inline " + decision->tensor);
    return decision;
  }
  if (hardware && hardware->has_rows()) {
    auto decision = in_blocks(work, decided, span);
    if (decision)
      decided.insert(decision->tensor);
    return decision;
  }
  if (auto decision = several_sums_apart(work, span, decided))
    return decision;
  if (auto decision = inner_sums_apart(work, span, decided))
    return decision;
  if (decided.insert("in strips").second)
    if (auto decision = in_strips(kernel, hardware, span))
      return decision;
  std::vector<Nest> nests = nests_of(kernel);
  const auto wrapping = std::stable_partition(
      nests.begin(), nests.end(), [&](const Nest &nest) { return !is_around_the_end(nest, work, span); });
  if (auto decision = of_a_nest({nests.begin(), wrapping}, work, span, decided))
    return decision;
  if (auto decision = around_the_end({wrapping, nests.end()}, work, span, decided))
    return decision;
  // Steps put temporaries inside of loops, too: those are as they should be.
  nests = nests_with_temporaries(kernel);
  if (decided.insert("which temporaries are inside of loops").second)
    for (const Nest &nest : nests)
      decided.insert("inside " + nest.tensor);
  std::erase_if(nests, [&](const Nest &nest) { return !decided.contains("inside " + nest.tensor); });
  return of_a_nest(nests, work, span, decided);
}

} // namespace atl::schedule
