// Obligations as lemmas of a Coq file: what Z3 decided, with the same names and places, once more by tactics.
// Those about products of sizes name the facts about products that their proof needs. The theorem does not
// need them: of what makes accesses safe it has a lemma of its own. So one that was not proved by such facts
// is only named.
#pragma once
#include "atl/index/obligation.h"

#include <string>
#include <vector>

namespace atl::proofs::coq {

struct NamedObligation {
  std::string name, place; // bounds.3, blur.atl:3:66
  const Obligation *obligation;
};

// `given`: what the file says of the sizes already, as it says it.
std::string obligation_lemmas(const std::vector<NamedObligation> &obligations,
                              const std::vector<std::string> &given);

} // namespace atl::proofs::coq
