// That rows which `overlap` puts over each other are the same where they meet: obligations of kind `once`.
#pragma once
#include "atl/syntax/typed.h"

namespace atl::equality {

std::vector<Obligation> overlap_obligations(const TypedKernel &kernel);

} // namespace atl::equality
