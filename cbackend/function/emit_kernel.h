// One kernel as a C function.
#pragma once
#include "cbackend/function/interface.h"
#include "cbackend/term/prelude.h"

#include <string>

namespace atl::cbackend {

std::string emit_kernel(const CKernel &kernel, const ErrorCodes &codes, Prelude &prelude);

} // namespace atl::cbackend
