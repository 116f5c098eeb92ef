// What surrounds the functions of a kernel that is mapped to hardware.
#pragma once
#include "lowering/nest/alternatives.h"
#include "proofs/reader/c/parse_c.h"

#include <string>
#include <vector>

namespace atl::proofs::reader {

// The headers of all hardware of these kernels.
std::string hardware_headers(const std::vector<lowering::LoopKernel> &kernels);

// The tokens of the parameters of the function at the cursor, with their parentheses.
std::vector<std::string> parameters_ahead(const Cursor &in);

// Reads what is before the functions of one version's instructions; #endif is behind them. What stands before
// each function with instructions is returned.
std::string instructions_head(Cursor &in, const lowering::LoopKernel &version);

// The function that chooses among those with instructions, one for each version with hardware, and the
// portable one.
void choice(Cursor &in, lowering::Versions versions, const std::vector<std::string> &mapped,
            const std::string &portable, const std::vector<std::string> &parameters,
            const std::vector<std::string> &names);

} // namespace atl::proofs::reader
