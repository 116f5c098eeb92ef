// Two executions of a piece of a loop nest, side by side: the loops outside it at the same iteration, those
// inside it each at its own, the second with primed variables. What `once` and `race` are stated about.
#pragma once
#include "atl/index/known.h"

#include <string>
#include <vector>

namespace atl::lowering {

// How much of what is known at a place is outside of a piece of the loop nest.
struct Outside {
  explicit Outside(const Known &known)
      : variables(known.variables.size()), hypotheses(known.hypotheses.size()) {}
  std::size_t variables, hypotheses;
};

// A cell of a buffer that is touched, and where.
struct Site {
  std::string buffer;
  std::vector<Index> indices;
  Known known;
  Span span;
};

struct TwoExecutions {
  Known known;
  Subst primed;         // the second's variables
  Pred different_cells; // the two sites are not the same cell
};

// Both sites are inside the piece that `outside` is the outside of.
TwoExecutions side_by_side(const Site &first, const Site &second, const Outside &outside);

// The cell as text, for a counterexample: out[3, 0]
Template cell_text(const Site &site);

} // namespace atl::lowering
