// What must be true of a program after every step, whatever the step does.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/syntax/typed.h"

namespace atl::schedule {

// Nothing if all is well; else what the step would do: loops inside loops of their name, variables that
// nothing binds, a program without measure. `before`: the program that the step is applied to.
std::optional<Diagnostic> malformed(const TypedKernel &kernel, const TypedKernel &before, const Step &step);

} // namespace atl::schedule
