// A kernel is proved only if all that it calls is: what a callee owes is decided at its own definition.
#pragma once
#include "driver/compiled.h"

namespace atl::driver {

// Kernels that call one that is not proved, directly or through others, are not proved either.
void withdraw_callers(const Program &program, const std::vector<Compiled> &functions,
                      std::vector<Compiled> &kernels);

} // namespace atl::driver
