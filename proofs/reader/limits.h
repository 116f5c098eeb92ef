// The sizes for which a kernel is meant, and how the checks at entry say so.
#pragma once
#include "lowering/nest/loop_ir.h"
#include "proofs/reader/arithmetic.h"

#include <vector>

namespace atl::proofs::reader {

std::vector<Pred> clauses(const lowering::LoopKernel &kernel); // the members of its assumptions, in order
// Every size from 0 to its least upper limit among the clauses.
Spans limits(const lowering::LoopKernel &kernel);
// If p compares one size with a constant: makes its span smaller. True if the span said so before.
bool narrow(Spans &spans, const Pred &p);
bool negates(const Pred &q, const Pred &p); // q says the opposite of p

} // namespace atl::proofs::reader
