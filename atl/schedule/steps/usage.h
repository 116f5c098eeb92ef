// A step that is written in another way than its usage says, or that does not exist: as it may be meant.
#pragma once
#include "atl/base/fix.h"

namespace atl::schedule {

// The names and numbers of the step at this place, put into the usages of the steps with this or a similar
// name. Proposals: the schedule may refuse them.
std::vector<Fix> other_usages(const Sources &sources, Span step);

} // namespace atl::schedule
