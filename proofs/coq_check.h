// Having coqc check an exported file.
#pragma once
#include "atl/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace atl::proofs::coq {

struct Checked {
  bool proved = false;
  double seconds = 0;
  std::string problem;             // what coqc said, if it is not proved
  std::vector<std::string> axioms; // that the theorem assumes; none: closed under the global context
};

// Whether coqc is there and recent enough (E8007), and `library` the compiled library (E8007).
std::optional<Diagnostic> missing_prover(const std::filesystem::path &library);

// Nothing but the file stays behind. `limit`: seconds that coqc may take.
Result<Checked> check(const std::filesystem::path &file, const std::filesystem::path &library,
                      unsigned limit);

} // namespace atl::proofs::coq
