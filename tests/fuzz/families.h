// Kernels of the families that the step `auto` knows, as text: products and their like, pipelines of
// stencils, rows with reductions, cells by themselves. Each access is in range for all sizes.
#pragma once
#include "fuzz/random.h"

#include <string>
#include <vector>

namespace atl::fuzz {

struct FamilyKernel {
  std::string family, text;
  std::vector<std::string> extents; // of its loops: sizes and numbers
};

FamilyKernel draw_family_kernel(Random &random, const std::string &kernel_name);

} // namespace atl::fuzz
