// The C text of kernels, read back and compared with their loop nests.
#pragma once
#include "atl/base/result.h"
#include "cbackend/library/emit_c.h"
#include "proofs/discharge.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace atl::driver {

struct ReadBack {
  Sources sources; // the C, for the places of the problems
  Diagnostics problems;
  std::size_t functions = 0;  // that say what their loop nests say
  std::size_t conditions = 0; // that the prover decided
  double milliseconds = 0;

  bool ok() const { return problems.empty(); }
};

// `files`: what emit_library made of the kernels.
ReadBack read_back(const std::string &library, const cbackend::Files &files,
                   const std::vector<lowering::LoopKernel> &kernels, proofs::Prover &prover);

std::string summary(const ReadBack &reading); // one line
nlohmann::ordered_json to_json(const ReadBack &reading);

} // namespace atl::driver
