// The loop-nest interpreter: runs a LoopKernel exactly as the C does. An access outside a buffer, or a read
// of a cell that was never stored, is an InternalError: lowering and its obligations exclude it.
#pragma once
#include "atl/eval.h"
#include "lowering/loop_ir.h"

namespace atl::lowering {

Tensors run(const LoopKernel &kernel, const Valuation &sizes, const Tensors &inputs);
std::string print(const LoopKernel &kernel); // print_loops.cpp

} // namespace atl::lowering
