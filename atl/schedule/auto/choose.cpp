#include "atl/schedule/auto/choose.h"

#include "atl/schedule/auto/loops.h"
#include "atl/schedule/auto/pipeline.h"
#include "atl/schedule/auto/uses.h"

#include <utility>

namespace atl::schedule {

// First how sums round, then which temporaries stay, whether these are computed in strips, then each nest
// that is left.
std::optional<Decision> next_decision(const rewrites::Work &work, Span span, std::set<std::string> &decided) {
  const TypedKernel &kernel = work.kernel;
  const Hardware *hardware = work.hardware;
  if (decided.insert("contract").second && work.requests && !work.requests->contracts &&
      kernel.rounding.allowed.contains(Rounding::contract))
    return Decision{kernel.name, {{"rounding contract", {plain_step("contract", {}, span)}}}};
  if (auto decision = inlined(kernel, decided, span)) {
    decided.insert("inline " + decision->tensor);
    return decision;
  }
  if (decided.insert("strips").second)
    if (auto decision = in_strips(kernel, hardware, span))
      return decision;
  for (const Nest &nest : nests_of(kernel))
    if (decided.insert(nest.tensor).second)
      if (auto candidates = candidates_for(nest, work, span); !candidates.empty())
        return Decision{nest.tensor, std::move(candidates)};
  return std::nullopt;
}

} // namespace atl::schedule
