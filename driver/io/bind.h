// The arguments of `atlc run`: NAME=value for sizes and scalars, NAME=file for tensors. Sizes that are not
// given are inferred from the shapes of the tensors; all shapes, where clauses and limits are then checked,
// and what contradicts what is said in full.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/eval.h"

#include <string>
#include <vector>

namespace atl::driver {

struct Inputs {
  Valuation sizes;
  Tensors tensors; // scalars as tensors of rank 0
};
Result<Inputs> bind_inputs(const TypedKernel &kernel, const std::vector<std::string> &arguments);

} // namespace atl::driver
