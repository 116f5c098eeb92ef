// What instructions store to temporaries in a memory of rows and nobody reads, as where a sum leaves out what
// lies outside of an image: for hardware whose instructions may come in any order, nothing would say when the
// rows are free again.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// Such instructions are left out in the iterations of the loops around the temporary in which nothing reads
// what they store. Adds obligations that this is so.
void leave_out_unread_loads(lowering::LoopKernel &kernel);

} // namespace atl::accel
