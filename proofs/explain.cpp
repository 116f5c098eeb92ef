// What the user is told about an obligation that is not proved.
#include "proofs/discharge.h"
#include "proofs/refute/counterexample.h"
#include "proofs/refute/exact.h"

#include "atl/base/check.h"
#include "atl/index/value_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::proofs {

namespace {

std::string filled_in(const Template &text, const Valuation &values) {
  std::string result;
  for (const auto &part : text) {
    if (const auto *words = std::get_if<std::string>(&part)) {
      result += *words;
      continue;
    }
    const Index &e = std::get<Index>(part);
    std::optional<BigInt> value = exact_value(e, values);
    result += value ? value->str() : to_string(e);
  }
  return result;
}

// The names in the claim and in what is said about it, and those that bound its loop variables; all names if
// it has none.
std::set<std::string> names_that_matter(const Obligation &obligation, const Claim &claim) {
  std::set<std::string> names;
  collect_variables(claim.holds, names);
  for (const auto &part : claim.otherwise)
    if (const Index *e = std::get_if<Index>(&part))
      collect_variables(*e, names);
  if (names.empty())
    for (const Pred &hypothesis : obligation.hypotheses)
      collect_variables(hypothesis, names);
  const std::set<std::string> in_claim = names;
  for (const std::string &name : obligation.variables)
    for (const Pred &hypothesis : obligation.hypotheses)
      if (in_claim.contains(name) && mentions(hypothesis, name))
        collect_variables(hypothesis, names);
  return names;
}

std::string values_that_matter(const Obligation &obligation, const Claim &claim, const Valuation &model) {
  std::set<std::string> matter = names_that_matter(obligation, claim);
  std::vector<std::string> shown;
  for (const auto *names : {&obligation.sizes, &obligation.variables})
    std::copy_if(names->begin(), names->end(), std::back_inserter(shown),
                 [&](const std::string &name) { return matter.contains(name); });
  return values_text(shown, model);
}

std::string counterexample_message(const Obligation &obligation, const Valuation &model) {
  const Claim *claim = violated_claim(obligation, model);
  ATL_CHECK(claim, "a refutation whose model is no counterexample");
  std::string values = values_that_matter(obligation, *claim, model);
  std::string failure = claim->otherwise.empty() ? fmt::format("it does not hold that {}", obligation.what)
                                                 : filled_in(claim->otherwise, model);
  return values.empty() ? failure : values + ": " + failure;
}

} // namespace

std::optional<Diagnostic> explain(const Obligation &obligation, const Verdict &verdict) {
  switch (verdict.status) {
  case Verdict::Status::proved: return std::nullopt;
  case Verdict::Status::refuted:
    return Diagnostic{obligation.code, obligation.span, counterexample_message(obligation, verdict.model),
                      obligation.notes};
  case Verdict::Status::unknown: break;
  }
  return Diagnostic{Code::obligation_unknown, obligation.span,
                    fmt::format("cannot decide whether {}: {}", obligation.what, verdict.reason),
                    obligation.notes};
}

} // namespace atl::proofs
