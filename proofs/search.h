// The attempts at one obligation after another, by one instance of Z3, whose answers may depend on what it
// was asked before. Unknown is never success.
#pragma once
#include "proofs/discharge.h"
#include "proofs/refute/counterexample.h"
#include "proofs/z3/small_values.h"
#include "proofs/z3/solve.h"

#include <span>
#include <vector>

namespace atl::proofs {

class Search {
public:
  explicit Search(std::optional<unsigned> timeout_ms);
  Verdict decide_or_give_up(const Obligation &obligation);
  // Some at a time: one question about all of these first, and then each that it leaves open.
  std::vector<Verdict> decide_all(std::span<const Obligation *const> obligations);
  bool proves_or_gives_up(const Obligation &obligation);

private:
  std::optional<unsigned> timeout_ms_;
  z3::context context_;

  Verdict decide(const Obligation &obligation, const Deadline &deadline);
  void decide_together(std::span<const Obligation *const> obligations, std::vector<Verdict> &verdicts);
  std::vector<bool> proves_together(std::span<const Obligation *const> obligations);
  bool proves(const Obligation &obligation, const Deadline &deadline);
  using MakeCases = std::vector<Case> (*)(const std::vector<Pred> &hypotheses, const Pred &claim);
  bool prove_by_cases(const Obligation &obligation, MakeCases make_cases, const Deadline &deadline);
  bool prove_by_claims(const Obligation &obligation, const Deadline &deadline);
  bool prove_one_by_one(const Obligation &obligation, Effort effort, const Deadline &deadline);
  Verdict refute(const Obligation &obligation, z3::check_result answer, const Deadline &deadline);
};

} // namespace atl::proofs
