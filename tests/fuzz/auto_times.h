// How long the native code of a kernel takes, beside its loops as they are written. One thread.
#pragma once
#include "fuzz/examine.h"

#include <vector>

namespace atl::fuzz {

struct Times {
  double written; // seconds of a call of the loops as they are written
  double ratio;   // of these to those of the other kernel; below 1: the other is slower
};

// Both are called in turns, and of both the fastest calls are compared. Throws std::runtime_error where one
// cannot be compiled, refuses the inputs, or computes other bits.
std::vector<Times> compare_times(const lowering::LoopKernel &written,
                                 const std::vector<lowering::LoopKernel> &others, const Run &run);

} // namespace atl::fuzz
