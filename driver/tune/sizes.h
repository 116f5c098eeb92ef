// The option --sizes. Comes in: M=512,N=100, maybe several times. Goes out: numbers for a kernel to be called
// with, drawn at random for each of them. May use: the kernel.
#pragma once
#include "driver/io/bind.h"

namespace atl::driver {

// E8005, E8006, E8009: they are no sizes of the kernel, or not ones that it takes. Nothing given: the kernel
// has none.
Result<std::vector<Inputs>> drawn_for_all(const std::vector<std::string> &given, const TypedKernel &kernel);

} // namespace atl::driver
