// Sums over a window, as of a stencil: first down its columns, then across.
#pragma once
#include "atl/schedule/auto/machine.h"
#include "atl/schedule/auto/nest.h"
#include "atl/syntax/steps.h"

#include <optional>
#include <set>

namespace atl::schedule {

// Cells that are reductions over the two loops of a window, where those over `down` serve several columns:
// what is read moves by `across` with the columns, and by `down` not.
struct Window {
  LoopHead across, down;
};

// Nothing also where the order in which floats are added may not change.
std::optional<Window> window_of(const Nest &nest, const TypedKernel &kernel);

// The reductions over `down` get a temporary of this name, which a line of the nest computes first.
std::vector<Step> down_then_across(const Nest &nest, const Window &window, const std::string &part,
                                   Span span);

// The cells of that temporary, or of a copy of it, in vectors. A copy has loops of the same names.
Step part_in_vectors(const std::string &part, const std::string &copy, const Vectors &vectors, Span span);

} // namespace atl::schedule
