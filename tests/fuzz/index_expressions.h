// Random kernels about indices: quotients and remainders by numbers and by sizes, products of sizes, windows,
// clamps, guards. Almost all of them are right: each coordinate is made from another one, with an extent that
// it stays inside.
#pragma once
#include "fuzz/random.h"

#include <string>

namespace atl::fuzz {

std::string generate_index_kernel(Random &random, const std::string &name); // as text

} // namespace atl::fuzz
