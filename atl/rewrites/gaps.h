// Gaps are the cells of a tensor that hold nothing. What they read as depends on the reduction around them,
// so that a rewrite which moves a guard or a reduction may change it.
#pragma once
#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

// After a rewrite of what is at a place: gaps there read as before, or nobody sees them.
void require_same_gaps(Work &work, const TypedKernel &before, const Path &place);

// The same in two parts. Whether the tensors that the places are in have the same gaps, as far as their
// guards tell without a proof.
bool same_gaps(const TypedKernel &before, const TypedKernel &now, const std::vector<Path> &places);

// A condition of the step: nobody sees the gaps that changed.
void require_unseen_gaps(Work &work, const TypedKernel &before);

} // namespace atl::rewrites
