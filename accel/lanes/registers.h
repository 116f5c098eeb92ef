// Tensors that are kept in registers: how many they need, and who may touch them.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>

namespace atl::accel {

// One for each row of the tensor.
Result<std::int64_t> registers_of(const lowering::Buffer &buffer, const Hardware &hardware, Span asked);

// A store outside of vectorized loops must not touch registers: which tensor does it touch? Empty: none.
std::string touched_register(const lowering::Store &store,
                             const std::map<std::string, lowering::Buffer> &buffers);

} // namespace atl::accel
