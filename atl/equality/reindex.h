// Finding the re-indexing of a reduction that was split, fused or re-ordered: equations between indices,
// solved for the variables of one side. What is found is a guess: obligations check that it is a bijection.
#pragma once
#include "atl/equality/point.h"
#include "atl/index/facts.h"

#include <optional>

namespace atl::equality {

struct Equation {
  Index a, b;
};

// A value for each variable in terms of the other names, or nothing. Knows equations that are linear in the
// variables: one variable with coefficient 1; several as the digits of a number (8 * k.o + k.i with k.i < 8);
// and x from x / m and x % m.
std::optional<Subst> solve(const std::vector<FoldVar> &unknowns, std::vector<Equation> equations,
                           const Facts &facts);

// The values of those that the equations determine, where they need not determine all.
Subst determined(const std::vector<FoldVar> &unknowns, std::vector<Equation> equations, const Facts &facts);

} // namespace atl::equality
