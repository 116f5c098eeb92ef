// Obligations for the tests of proofs/, written in the language's own syntax.
#pragma once
#include "atl/index/obligation.h"

#include <random>

namespace atl::proofs_cases {

// `or` of `and` of comparisons, chains included: "0 <= i < N and i != 3".
Pred pred(const std::string &text);

// All names that occur; those in upper case are sizes. The claims' templates are empty.
Obligation obligation(const std::vector<Pred> &hypotheses, const std::vector<Pred> &claims);
Obligation parsed(const std::vector<std::string> &hypotheses, const std::vector<std::string> &claims);

// Goals that hold, as the compiler makes them.
struct Family {
  std::string name;
  Obligation obligation;
  bool linear;
};
std::vector<Family> families();
Obligation made_stricter(Obligation obligation); // e < n becomes e + 1 < n, a == b becomes a != b

Index random_index(std::mt19937 &random, int depth); // over N, M, i, j; divisors may be anything
Obligation random_obligation(std::mt19937 &random);  // over N, M >= 0, 0 <= i < N or so, -2 <= j

} // namespace atl::proofs_cases
