// Marks the loops whose later iterations' operands are fetched into the caches early. Says nothing about what
// is computed; only the C of mapped loops asks for it.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// An error for each prefetch without a loop of its name that reads its tensor, iteration by iteration.
Diagnostics mark_prefetches(Block &body, const std::vector<Requests::Prefetch> &prefetches);

} // namespace atl::lowering
