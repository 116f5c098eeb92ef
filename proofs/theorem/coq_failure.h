// Which lemma of a Coq file coqc did not prove: read from what it prints.
#pragma once
#include <optional>
#include <string>

namespace atl::proofs::coq {

struct UnprovedLemma {
  std::string name;  // in_bounds, bounds_3
  std::string about; // what it says, in words; for an obligation, with its place in the program
  std::string claim; // the one that the proof lacks, as a formula of Coq; empty if coqc does not say
};

// `file`: the text that coqc was given; `output`: what it printed. Nothing if it does not say where it ended.
std::optional<UnprovedLemma> unproved_lemma(const std::string &file, const std::string &output);

} // namespace atl::proofs::coq
