// Random sizes and tensors to run a kernel on.
#pragma once
#include "fuzz/examine.h"

#include <functional>
#include <optional>
#include <string>

namespace atl::fuzz {

// Sizes that the kernel allows, drawn from `size_values`, and inputs of the shapes they say; nothing if none
// were found. Sizes that do not suit are not taken.
std::optional<Run> draw_run(const TypedKernel &kernel, Random &random,
                            const std::vector<std::int64_t> &size_values,
                            const std::function<bool(const Valuation &)> &suit = nullptr);

std::string describe(const Valuation &values);
std::string first_difference(const Tensor &expected, const Tensor &actual);

} // namespace atl::fuzz
