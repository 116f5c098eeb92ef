// The names that stand for loops and tensors where a schedule runs.
#pragma once
#include "atl/base/source.h"
#include "atl/parse/surface.h"

#include <functional>
#include <string_view>

namespace atl::parse {

// The definition that is called by a name; null if there is none.
using Callee = std::function<const Node *(const Node &word)>;

// Whether a kernel, or what it calls, gives this name to a parameter, a result, a loop or a `let`.
bool declares(const Node &kernel, std::string_view name, const Sources &sources, const Callee &callee);

// Whether steps give this name to something new, as in `into first, second` and `as name`.
bool makes(const Node &steps, std::string_view name, const Sources &sources);

} // namespace atl::parse
