// The temporaries of a loop nest under the names that they had before loops were unrolled, as the copies of a
// body that Coq makes have them.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::proofs::coq {

// The same loop nest up to the names of temporaries: none gets a name that means something else where it is
// alive.
lowering::Block under_first_names(lowering::Block body, const std::vector<std::string> &buffers_around);

} // namespace atl::proofs::coq
