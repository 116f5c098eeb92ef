// Which descriptions of hardware are worth a version of a kernel, where nobody names one.
#pragma once
#include "atl/syntax/hardware.h"
#include "atl/syntax/typed.h"

namespace atl::driver {

// What `hardware` adds to `other`, which it extends, is of use: the kernel has numbers of all types that one
// of these instructions combines. Also true if it does not extend it.
bool adds_to(const Hardware &hardware, const Hardware &other, const TypedKernel &kernel);

} // namespace atl::driver
