// Conditions as ends of ranges.
#pragma once
#include "atl/facts.h"

namespace atl {

// n, where the condition says `var < n` under the facts; null if it says something else.
Index upper_bound(const Pred &condition, const std::string &var, const Facts &facts);

} // namespace atl
