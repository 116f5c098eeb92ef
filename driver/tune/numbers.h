// What is tuned of a schedule. Comes in: its steps, without `auto`. Goes out: the numbers in them, and the
// same steps with other ones. May use: the steps, and indices.
#pragma once
#include "atl/syntax/steps.h"

namespace atl::driver {

// Those that say how large a tile is, or how far ahead something is done: in `split`, `tile` and `prefetch`,
// and the arguments of steps that users define. Other numbers are part of what is computed, or of what
// callers have to obey.
std::vector<std::int64_t> numbers_of(const std::vector<Step> &steps);

// `at` counts as numbers_of does.
std::vector<Step> with_number(std::vector<Step> steps, std::size_t at, std::int64_t value);

// What is done for these sizes: of `specialize when P { ... }`, the block where P holds, and then what stands
// behind it is for others.
std::vector<Step> steps_at(const std::vector<Step> &steps, const Valuation &sizes);

} // namespace atl::driver
