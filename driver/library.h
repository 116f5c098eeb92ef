// The C of kernels, printed, read back and compared with their loop nests.
#pragma once
#include "atl/base/result.h"
#include "cbackend/library/emit_c.h"
#include "proofs/discharge.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace atl::driver {

struct Library {
  cbackend::Library c;
  std::vector<lowering::LoopKernel> kernels; // in the order of the functions

  // What the reader says.
  Sources sources; // the C, for the places of the problems
  Diagnostics problems;
  bool late = false;          // the problem is that --timeout ended it
  std::size_t functions = 0;  // that say what their loop nests say
  std::size_t conditions = 0; // that the prover decided
  double milliseconds = 0;    // of reading

  bool ok() const { return problems.empty(); }
};

Library make_library(const std::string &name, std::vector<lowering::LoopKernel> kernels,
                     proofs::Prover &prover, const cbackend::Packaging &packaging = {});

std::string summary(const Library &library); // one line
nlohmann::ordered_json to_json(const Library &library);

} // namespace atl::driver
