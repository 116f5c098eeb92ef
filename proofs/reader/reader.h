// Reads emitted C back: an independent check that the text of each function says what its loop nest says, so
// that what prints it need not be trusted. It shares no code with cbackend/.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::proofs::reader {

struct Emitted {
  std::string library;     // what its files are called
  std::string header_name; // that the source includes
  std::string header, source;
  std::uint32_t header_file = 0, source_file = 0; // for the places in diagnostics
};

struct Reading {
  Diagnostics differences;            // E6901, at most one for each function
  std::vector<Obligation> conditions; // under which C's own / and % mean the same
  std::size_t functions = 0;          // that were read to their ends
};

// `kernels`: in the order of the functions.
Reading read_back(const Emitted &emitted, const std::vector<lowering::LoopKernel> &kernels);

} // namespace atl::proofs::reader
