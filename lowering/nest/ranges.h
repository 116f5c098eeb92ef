// What the checks at entry of a C function know of the sizes, from the clauses checked so far: an interval of
// numbers each. They run before anything is proved about the sizes.
// Comes in: clauses of `where`. Goes out: intervals. May use: atl.
#pragma once
#include "atl/index/bounds.h"

#include <string>
#include <vector>

namespace atl::lowering {

bool is_safe(const Pred &p, const Intervals &variables); // every index in it has an interval

// Narrows the interval of a size if p is a comparison of that size and a constant. True if p says no more
// than the intervals do now.
bool narrow(Intervals &variables, const Pred &p);
// From 0 to the least constant upper bound among the assumptions.
Intervals size_ranges(const std::vector<std::string> &sizes, const std::vector<Pred> &assumptions);

} // namespace atl::lowering
