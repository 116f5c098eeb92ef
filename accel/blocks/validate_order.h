// States that rows of a memory are found as the order of the program says, by hardware that may do some
// instructions in any order (`unordered`): before such an instruction stores to a row again, one that keeps
// the order has touched each cell that the earlier one has stored to. It looks at a temporary from the start
// of its life to the end, so that the rows are free for whatever gets them next.
//
// pipeline.h and drain.h then move instructions without changing their order on a row: what is filled ahead
// goes to other rows, in the same order, and what is stored piece by piece is complete.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::accel {

// Of kind instr, for each such instruction of a mapped kernel.
std::vector<Obligation> order_obligations(const lowering::LoopKernel &kernel);

} // namespace atl::accel
