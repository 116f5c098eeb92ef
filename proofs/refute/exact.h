// Evaluation with unbounded integers: what an obligation means, also where 64 bits overflow (the obligations
// of kind `width` are about just that). Nothing for an unbound variable or a divisor <= 0.
#pragma once
#include "atl/index/index.h"

#include <boost/multiprecision/cpp_int.hpp>

namespace atl::proofs {

using BigInt = boost::multiprecision::cpp_int;

std::optional<BigInt> exact_value(const Index &e, const Valuation &values);
std::optional<bool> exact_value(const Pred &p, const Valuation &values);

} // namespace atl::proofs
