#include "atl/schedule/auto/choose.h"

#include "atl/schedule/auto/loops.h"
#include "atl/schedule/auto/pipeline.h"

#include <utility>

namespace atl::schedule {

// First which temporaries stay, then whether these are computed in strips, then each nest that is left.
std::optional<Decision> next_decision(const TypedKernel &kernel, const Hardware *hardware, Span span,
                                      std::set<std::string> &decided) {
  if (auto decision = inlined(kernel, decided, span)) {
    decided.insert("inline " + decision->tensor);
    return decision;
  }
  if (decided.insert("strips").second)
    if (auto decision = in_strips(kernel, hardware, span))
      return decision;
  for (const Nest &nest : nests_of(kernel))
    if (decided.insert(nest.tensor).second)
      if (auto candidates = candidates_for(nest, kernel, hardware, span); !candidates.empty())
        return Decision{nest.tensor, std::move(candidates)};
  return std::nullopt;
}

} // namespace atl::schedule
