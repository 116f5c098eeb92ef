// Loops in each other whose iterations follow each other: the first one of all, the next one,
// the one before, the last one.
#pragma once
#include "lowering/nest/walk.h"

#include <vector>

namespace atl::accel {

struct Level {
  lowering::For *loop;
  Known outside; // what is known around the loop
};
using Loops = std::vector<Level>; // from outside to inside

struct Iteration {
  Pred runs;    // whether there is one
  Subst values; // of the loops
};
Iteration first_iteration(const Loops &turns);
// The one behind that at hand, by the loop that goes on: the innermost one; or the one around it, where that
// has ended, which starts again; and so on.
std::vector<Iteration> next_iterations(const Loops &turns);
// The one before: of the innermost loop; or the last one of it in the iteration before of the loop around it.
std::vector<Iteration> previous_iterations(const Loops &turns);
// The last one of all, where the outermost loop is in its last iteration.
Iteration last_iteration(const Loops &turns);

} // namespace atl::accel
