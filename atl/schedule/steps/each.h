// What `every` does: one rewrite at each of several loops.
#pragma once
#include "atl/rewrites/rewrites.h"

#include <vector>

namespace atl::schedule {

// From the last to the first: a change leaves the places before it where they are.
template <class Change>
rewrites::Refused at_each(const std::vector<Path> &loops, const Change &change) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    if (rewrites::Refused refused = change(*loop))
      return refused;
  return {};
}

} // namespace atl::schedule
