// Other texts for a place of a program, such as an access with its indices in another order: proposals, which
// are right only if the program then compiles. Read from the text alone.
#pragma once
#include "atl/base/fix.h"

#include <optional>

namespace atl::parse {

// "N >= 1" behind the result of the kernel whose name stands at `kernel`, or behind the conditions it has.
std::optional<Edit> add_condition(const Sources &sources, Span kernel, const std::string &condition);

// Of an access: the indices in another order, other loop variables, and the range of a variable by the
// extent.
std::vector<Fix> other_indices(const Sources &sources, Span access);

// Of an access: the last ones left out.
std::vector<Fix> fewer_indices(const Sources &sources, Span access);

// Of an access: with a condition around it.
std::vector<Fix> guards(const Sources &sources, Span access);

// The arguments of the call around a place, or the extents of the result, in another order.
std::vector<Fix> other_orders(const Sources &sources, Span place);

// A computation with whole tensors, by `gen`.
std::vector<Fix> cell_by_cell(const Sources &sources, Span place);

// Of `let (a, b) = f(...)` where the message lists the results: as many names as there are results.
std::vector<Fix> other_names(const Sources &sources, Span let, std::string_view message);

} // namespace atl::parse
