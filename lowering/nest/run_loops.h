// The loop-nest interpreter: runs a LoopKernel exactly as the C does. An access outside a buffer, or a read
// of a cell that was never stored, is an InternalError: lowering and its obligations exclude it.
#pragma once
#include "atl/meaning/eval.h"
#include "lowering/nest/loop_ir.h"

namespace atl::lowering {

// How the iterations of parallel and vectorized loops follow each other. Without a race, the results are the
// same.
enum class ParallelOrder { forward, backward };
// Those that differ: backward only where a loop is parallel or vectorized.
std::vector<ParallelOrder> orders_of(const LoopKernel &kernel);

Tensors run(const LoopKernel &kernel, const Valuation &sizes, const Tensors &inputs,
            ParallelOrder order = ParallelOrder::forward);
std::string print(const LoopKernel &kernel);        // print_loops.cpp
std::string print_mapped(const LoopKernel &kernel); // mapped loops as their instructions
std::string text_of(const Setting &setting);        // source(stride: 4 * N)

} // namespace atl::lowering
