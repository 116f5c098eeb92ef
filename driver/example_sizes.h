// Sizes that a kernel can be called with. If there were none, every obligation would hold for nothing.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"
#include "proofs/discharge.h"

namespace atl::driver {

// Those behind `such as`, which the checker has evaluated, or those that the prover finds; E7009 if neither.
Result<Valuation> example_sizes(const TypedKernel &kernel, proofs::Prover &prover);

} // namespace atl::driver
