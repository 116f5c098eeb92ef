// Why a claim about products of sizes holds, so that whoever knows linear arithmetic only can follow: the
// instances of lemmas about products that its proof needs. Found by Z3; nothing here need be trusted.
#pragma once
#include "proofs/z3/hints.h"
#include "proofs/z3/solve.h"

#include <optional>

namespace atl::proofs {

// No instance can be left out: without any of them Z3 finds no proof. Over the names of the program. Empty
// where linear arithmetic suffices; nothing if no proof by these lemmas is found.
std::optional<std::vector<Hint>> certificate(const std::vector<Pred> &hypotheses, const Pred &claim);

// Those of the hypotheses that Z3 uses where linear arithmetic suffices; all of them where it does not.
std::vector<Pred> needed_hypotheses(z3::context &context, const std::vector<Pred> &hypotheses,
                                    const Pred &claim);

} // namespace atl::proofs
