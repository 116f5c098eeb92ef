// Emitted C that was changed in one place: an operator, a constant, a name, a type, a word or a line.
#pragma once
#include "lowering/nest/loop_ir.h"
#include "proofs/reader/reader.h"

#include <string>
#include <vector>

namespace atl::testing {

proofs::reader::Emitted emitted(const std::vector<lowering::LoopKernel> &kernels);

// The mutants of what comes after `from` are refused by the reader: a third of them, another each day. Gives
// the number of all.
std::size_t check_mutants(const std::vector<lowering::LoopKernel> &kernels, const std::string &from);

} // namespace atl::testing
