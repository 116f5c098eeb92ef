// Having coqc check an exported file.
#pragma once
#include "atl/base/result.h"

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

// The version of coqc; an error if it is not there or too old (E8007).
Result<std::string> find_prover();

// Nothing but the file stays behind. `limit`: seconds that coqc may take; it may take any time without one.
Result<Checked> check(const std::filesystem::path &file, const std::filesystem::path &library,
                      std::optional<unsigned> limit);

} // namespace atl::proofs::coq
