// A refuted equality is told as one only after both kernels were run.
#pragma once
#include "atl/syntax/typed.h"
#include "proofs/discharge.h"

namespace atl::driver {

// The verdict on what the equality of two kernels rests on. If it does not hold for some sizes, but the
// kernels compute the same for them, then the comparison is what failed: the equality is not shown, and not
// refuted.
proofs::Verdict confirmed(const Obligation &obligation, proofs::Verdict verdict, const TypedKernel &a,
                          const TypedKernel &b);

} // namespace atl::driver
