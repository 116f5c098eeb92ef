// Pipelines in Halide under the schedules that its apps publish, as functions in this process.
#pragma once
#include "bench/shared_object.h"

#include <optional>

namespace atl::bench {

// What `halide-pipelines`, the program beside this one, has compiled: bench/peers/halide_calls.c says which
// functions there are. Nothing, and a word on stderr, if there is no such program.
std::optional<SharedObject> halide_peers();

} // namespace atl::bench
