// Whether two kernels differ for given sizes, by running both. A comparison that finds no proof says which
// claim about indices fails; that alone does not mean that the results are different.
#pragma once
#include "atl/syntax/typed.h"

namespace atl::equality {

enum class Witness { different, same, too_large, not_run };

// `b` has the parameters and results of `a`. Where a reduction adds up or multiplies floats, results that are
// as close as another order makes them are taken to be the same. If `a` runs, and `b` does not, because it
// reads outside of a tensor, they are different; if `a` does not, nothing is said of them.
Witness run_both(const TypedKernel &a, const TypedKernel &b, const Valuation &sizes);

} // namespace atl::equality
