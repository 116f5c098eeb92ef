// Where instructions touch memory that take only addresses which are multiples of some number of bytes.
#pragma once
#include "atl/index/facts.h"
#include "atl/index/obligation.h"
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// Temporaries that are allocated begin at multiples of so many bytes: where cache lines do.
constexpr std::int64_t cache_line = 64;

// If the tensor begins at a multiple of `bytes`, the element lies at one.
std::vector<Claim> aligned_claims(const std::string &instruction, const lowering::FirstElement &element,
                                  const lowering::Buffer &tensor, std::int64_t bytes, const Facts &facts);

} // namespace atl::accel
