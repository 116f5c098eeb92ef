// What truncations demand: nothing may be stored where they cut.
#pragma once
#include "padtypes/padtypes.h"

namespace atl::padtypes {

enum class ByType { leave_out, include }; // truncations that a pad type justifies

std::vector<Obligation> truncation_demands(const TypedKernel &kernel, ByType by_type);

} // namespace atl::padtypes
