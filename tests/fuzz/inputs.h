// Random sizes and tensors to run a kernel on.
#pragma once
#include "fuzz/examine.h"

#include <limits>
#include <optional>
#include <string>

namespace atl::fuzz {

// Sizes that the kernel allows, drawn from `size_values`, and inputs of the shapes they say; nothing if none
// were found. The product of the sizes, those of 0 left out, is at most `most`.
std::optional<Run> draw_run(const TypedKernel &kernel, Random &random,
                            const std::vector<std::int64_t> &size_values,
                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

std::string describe(const Valuation &values);
std::string first_difference(const Tensor &expected, const Tensor &actual);

} // namespace atl::fuzz
