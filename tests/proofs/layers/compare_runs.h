// A kernel on a few small sizes: its loop nest, and its C with sanitizers, against the reference interpreter.
#pragma once
#include "driver/compiled.h"

#include <string>

namespace atl::layers {

std::string compare_runs(const driver::Compiled &kernel); // what differs, or nothing

} // namespace atl::layers
