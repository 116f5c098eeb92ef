#include "driver/confirm.h"

#include "atl/equality/witness.h"

#include <fmt/format.h>

namespace atl::driver {

proofs::Verdict decide_equality(const Obligation &obligation, const TypedKernel &a, const TypedKernel &b,
                                proofs::Prover &prover) {
  using equality::Witness;
  proofs::Verdict verdict = prover.decide(obligation);
  if (verdict.status != proofs::Verdict::Status::refuted)
    return verdict;
  const Witness witness = equality::run_both(a, b, verdict.model);
  if (witness == Witness::different)
    return verdict;
  const std::string ran = witness == Witness::same ? "run with these sizes, both compute the same"
                                                   : "both are too large to be run with these sizes";
  verdict.status = proofs::Verdict::Status::unknown;
  verdict.reason = fmt::format("the comparison ends at {}; {}",
                               proofs::explain(obligation, prover.decide(obligation))->message, ran);
  return verdict;
}

} // namespace atl::driver
