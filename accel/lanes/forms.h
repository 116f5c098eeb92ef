// What may be computed in place of an expression, so that an instruction fits.
#pragma once
#include "accel/lanes/lanes.h"

namespace atl::accel {

// Floats: a * b + c, and what is like it, rounded once. What is rounded as often as it says is not among
// them.
std::vector<ExprPtr> rounded_once(const ExprPtr &e);

// A guard as it is; a select with 0 in the lanes behind the first ones, which is what a guard on a part of an
// expression becomes, as a guard. Null if nothing says which lanes those are.
ExprPtr masked_form(const ExprPtr &e, const Lanes &lanes);

} // namespace atl::accel
