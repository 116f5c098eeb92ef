// What a step divides by must be positive, like what a kernel divides by.
#pragma once
#include "atl/rewrites/rewrites.h"

namespace atl::schedule {

// As conditions of the step, before those that it has itself.
void require_positive_divisors(const Step &step, rewrites::Work &work);

} // namespace atl::schedule
