// Obligations by brute force: the reference for the prover.
#pragma once
#include "atl/index/obligation.h"
#include "fuzz/random.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::fuzz {

// Whether the values satisfy all hypotheses but not all claims.
bool is_counterexample(const Obligation &o, const Valuation &values);

// Tries values of the variables, all of them if they are few, for the given sizes; says what is false and
// where.
std::optional<std::string> counterexample(const std::vector<Obligation> &obligations, const Valuation &sizes,
                                          Random &random);

} // namespace atl::fuzz
