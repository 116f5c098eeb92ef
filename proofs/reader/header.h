// The header of a library: each function is declared as the source defines it, and its comment names the
// parameters in their order. Throws Difference.
#pragma once
#include "lowering/nest/alternatives.h"
#include "proofs/reader/reader.h"

namespace atl::proofs::reader {

void read_header(const Emitted &emitted, const std::vector<lowering::Versions> &functions);

} // namespace atl::proofs::reader
