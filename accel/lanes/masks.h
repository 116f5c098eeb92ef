// Lanes that do not run: which are active, and what the others must not touch.
#pragma once
#include "accel/lanes/lanes.h"

namespace atl::accel {

// As the size of an instruction: from 0 to the number of lanes.
Index active_lanes(const Index &active, const Lanes &lanes);

// Only the first `count` lanes load from memory; terms of a sum may, where that is inside for all lanes.
ExprPtr guard_loads(const ExprPtr &e, const Index &count, const Lanes &lanes);

// Something that all lanes share is read, which may not be there if no lane runs.
bool reads_unguarded(const ExprPtr &e, const Lanes &lanes);

} // namespace atl::accel
