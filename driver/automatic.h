// Compiles a kernel under a schedule with steps `auto`: these choose the best candidates with which all
// stages succeed, as far as that can be found by taking one decision after the other.
#pragma once
#include "driver/compiled.h"

#include <functional>

namespace atl::driver {

struct Attempt {
  Compiled compiled;
  Diagnostics problems; // none: it succeeded
};

Attempt choose_automatically(const schedule::Automatic &automatic,
                             const std::function<Attempt(const schedule::Automatic &)> &attempt);

} // namespace atl::driver
