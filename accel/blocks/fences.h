// Hardware that does not keep plain memory in order: where it has to be done with what it was asked for
// before the next instruction touches the same memory.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// A fence before what loads a tensor that was stored to since the last one, or stores to one that was loaded,
// if instructions do one of the two, and the CPU may do the other; as far outside of loops as the two are
// apart. Temporaries on the stack may have the same memory where their
// blocks do not overlap; others have their own (cbackend/function/workspace.h).
void insert_fences(lowering::LoopKernel &kernel);

} // namespace atl::accel
