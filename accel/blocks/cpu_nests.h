// Nests of loops that a schedule leaves to the CPU, between instructions on blocks: `leave TENSOR to cpu`.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// All that it stores, but to scalars of its own, goes to such tensors.
bool runs_on_cpu(const lowering::For &loop, const Requests &wanted);

// Tensors that no loops compute on their own, or whose loops touch memories that the CPU does not reach.
Diagnostics cpu_problems(const lowering::LoopKernel &kernel);

} // namespace atl::accel
