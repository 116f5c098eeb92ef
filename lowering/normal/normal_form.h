// A kernel as it is lowered: every reduction either accumulates in the buffer of its tensor or is one, bound
// by a let, and copied when it is complete; scalar expressions are free of reductions, lets and guards. What
// the loop nest does with accumulators is decided here, in the language itself, so that lowering only
// composes reindexers (proofs/coq/lowering/Lower.v).
// Comes in: a CheckedKernel. Goes out: a NormalKernel. May use: atl, padtypes.
#pragma once
#include "padtypes/padtypes.h"

#include <map>
#include <string>

namespace atl::lowering {

struct NormalKernel {
  TypedKernel kernel;
  std::map<std::string, ExprPtr> unwritten; // by let or output: the literal that an unwritten cell reads as
};

NormalKernel normal_form(const padtypes::CheckedKernel &checked);

} // namespace atl::lowering
