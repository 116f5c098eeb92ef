// Programs on random inputs.
#pragma once
#include "tests/support/scheduled.h"

#include <random>

namespace atl::testing {

enum class Numbers { any, exact }; // exact: sums of them do not round

struct Draw {
  Valuation sizes;
  Tensors inputs;
};
// Sizes that the kernel allows, up to `largest` if there are such, and tensors of the shapes that they say.
Draw draw(const TypedKernel &kernel, std::mt19937 &random, int largest, Numbers numbers);

// The scheduled kernel, by its meaning and as a loop nest, gives the same bits as its algorithm, a few times.
void check_agreement(const ScheduledText &scheduled, Numbers numbers);

} // namespace atl::testing
