// Cells whose indices wrap around at the end of a loop, as at the borders of a periodic grid.
#pragma once
#include "atl/schedule/auto/nest.h"

#include <optional>

namespace atl::schedule {

// Of the last loop of a nest, from 0 to n: what is read at (x + e) % n is at x + e for the cells from `first`
// on and before `end`.
struct Wraps {
  Index first, end;
  bool by_constants =
      true; // so that few cells are outside; else by one e, which may be anything from -n to n
};
std::optional<Wraps> wraps_of(const Nest &nest); // without long reductions

Access unwrapped(Access access); // without remainders

} // namespace atl::schedule
