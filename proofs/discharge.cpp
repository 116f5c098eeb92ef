#include "proofs/discharge.h"

#include "proofs/refute/counterexample.h"
#include "proofs/refute/minimize.h"
#include "proofs/z3/small_values.h"
#include "proofs/z3/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace atl::proofs {

struct Prover::State {
  std::optional<unsigned> timeout_ms;
  z3::context context;
  std::unordered_map<std::string, Verdict> verdicts; // by formula
  std::unordered_map<std::string, bool> proofs;      // of those that nobody wants a counterexample of

  Verdict decide_or_give_up(const Obligation &obligation);
  Verdict decide(const Obligation &obligation, const Deadline &deadline);
  bool proves(const Obligation &obligation, const Deadline &deadline);
  using MakeCases = std::vector<Case> (*)(const std::vector<Pred> &hypotheses, const Pred &claim);
  bool prove_by_cases(const Obligation &obligation, MakeCases make_cases, const Deadline &deadline);
  bool prove_by_claims(const Obligation &obligation, const Deadline &deadline);
  bool prove_one_by_one(const Obligation &obligation, Effort effort, const Deadline &deadline);
  Verdict refute(const Obligation &obligation, z3::check_result answer, const Deadline &deadline);
};

Prover::Prover(std::optional<unsigned> timeout_ms) : state_(new State{timeout_ms, {}, {}, {}}) {}
Prover::~Prover() = default;

std::optional<unsigned> Prover::timeout_ms() const {
  return state_->timeout_ms;
}

namespace {

using Status = Verdict::Status;

constexpr std::size_t steps_of_a_glance = 20'000, steps_of_a_search = 200'000;
constexpr std::int64_t most_to_minimize =
    100'000; // products of larger sizes are hard for Z3, and all alike to a reader

Verdict verdict(Status status, std::string reason = {}, Valuation model = {}) {
  return {status, std::move(reason), std::move(model), "z3", 0};
}

// Everything the verdict depends on.
std::string formula_text(const Obligation &obligation) {
  std::string text;
  for (const auto *names : {&obligation.sizes, &obligation.variables}) {
    for (const std::string &name : *names)
      text += name + " ";
    text += "\n";
  }
  for (const Pred &hypothesis : obligation.hypotheses)
    text += to_string(hypothesis) + "\n";
  for (const Claim &claim : obligation.claims)
    text += "|- " + to_string(claim.holds) + "\n";
  return text;
}

Pred all_claims(const Obligation &obligation) {
  Pred all = truth(true);
  for (const Claim &claim : obligation.claims)
    all = conj(all, claim.holds);
  return all;
}

bool depends_on_divisors(const Formula &formula) {
  for (const Quotient &quotient : formula.quotients)
    if (!as_constant(quotient.divisor))
      return true;
  return false;
}

std::int64_t sum_of_sizes(const Obligation &obligation, const Valuation &values) {
  std::int64_t sum = 0;
  for (const std::string &name : obligation.sizes)
    sum += std::min(values.at(name), most_to_minimize + 1);
  return sum;
}

std::string unknown_reason(const Formula &formula, z3::check_result answer) {
  if (answer != z3::sat)
    return "Z3 found neither a proof nor a counterexample in the steps it may take";
  return depends_on_divisors(formula) ? "it may depend on a divisor that is not positive"
                                      : "its counterexamples have numbers beyond 64 bits";
}

} // namespace

// Called when neither a quick proof nor a small counterexample is found; the answer is that of the quick
// attempt.
Verdict Prover::State::refute(const Obligation &obligation, z3::check_result answer,
                              const Deadline &deadline) {
  Formula formula = counterexample_formula(obligation.hypotheses, all_claims(obligation));
  Enumeration small = enumerate_small(obligation, steps_of_a_search, deadline);
  if (small.model && small.is_smallest)
    return verdict(Status::refuted, {}, *small.model);
  std::optional<Valuation> found = small.model;
  if (!found && !formula.linear)
    found = search_corners(obligation);
  if (found && sum_of_sizes(obligation, *found) > most_to_minimize)
    return verdict(Status::refuted, {}, *found);
  if (!found && !formula.linear)
    answer = solve(context, formula, Effort::thorough, deadline);
  if (answer == z3::unsat)
    return verdict(Status::proved);
  if (found || answer == z3::sat)
    found = minimize_with_z3(context, obligation, found, deadline);
  if (found)
    return verdict(Status::refuted, {}, *found);
  return verdict(Status::unknown, unknown_reason(formula, answer));
}

// Each claim from the hypotheses and the claims before it: fewer products at a time.
bool Prover::State::prove_one_by_one(const Obligation &obligation, Effort effort, const Deadline &deadline) {
  std::vector<Pred> hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims) {
    Formula formula = counterexample_formula(hypotheses, claim.holds);
    if (solve(context, formula, effort, deadline) != z3::unsat)
      return false;
    hypotheses.push_back(claim.holds);
  }
  return true;
}

// Each claim as above, in each of several cases, if there are such.
bool Prover::State::prove_by_cases(const Obligation &obligation, MakeCases make_cases,
                                   const Deadline &deadline) {
  std::vector<Pred> hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims)
    hypotheses.push_back(claim.holds);
  if (make_cases(hypotheses, truth(true)).size() == 1)
    return false;
  hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims) {
    for (const Case &c : make_cases(hypotheses, claim.holds))
      if (solve(context, counterexample_formula(c.hypotheses, c.claim), Effort::quick, deadline) != z3::unsat)
        return false;
    hypotheses.push_back(claim.holds);
  }
  return true;
}

bool Prover::State::prove_by_claims(const Obligation &obligation, const Deadline &deadline) {
  bool several = obligation.claims.size() > 1;
  return (several && prove_one_by_one(obligation, Effort::quick, deadline)) ||
         prove_one_by_one(obligation, Effort::patient, deadline) ||
         prove_by_cases(obligation, for_each_side, deadline);
}

Verdict Prover::State::decide(const Obligation &obligation, const Deadline &deadline) {
  Formula formula = counterexample_formula(obligation.hypotheses, all_claims(obligation));
  if (!formula.linear && prove_by_cases(obligation, for_each_small_value, deadline))
    return verdict(Status::proved);
  z3::check_result answer = solve(context, formula, Effort::quick, deadline);
  if (answer == z3::unsat)
    return verdict(Status::proved);
  // What does not fit 64 bits is a product of large numbers: the small ones need not be tried.
  if (obligation.kind == ObligationKind::width && !formula.linear)
    if (std::optional<Valuation> found = search_corners(obligation))
      return verdict(Status::refuted, {}, *found);
  Enumeration small = enumerate_small(obligation, steps_of_a_glance, deadline);
  if (small.model && small.is_smallest)
    return verdict(Status::refuted, {}, *small.model);
  if (!formula.linear && prove_by_claims(obligation, deadline))
    return verdict(Status::proved);
  return refute(obligation, answer, deadline);
}

bool Prover::State::proves(const Obligation &obligation, const Deadline &deadline) {
  Formula formula = counterexample_formula(obligation.hypotheses, all_claims(obligation));
  if (!formula.linear && prove_by_cases(obligation, for_each_small_value, deadline))
    return true;
  z3::check_result answer = solve(context, formula, Effort::quick, deadline);
  if (answer != z3::unknown || formula.linear)
    return answer == z3::unsat;
  if (enumerate_small(obligation, steps_of_a_glance, deadline).model)
    return false;
  return prove_by_claims(obligation, deadline) ||
         solve(context, formula, Effort::thorough, deadline) == z3::unsat;
}

Verdict Prover::State::decide_or_give_up(const Obligation &obligation) {
  try {
    const TimeLimit limit(timeout_ms);
    Verdict decided = decide(obligation, limit.deadline());
    if (decided.status == Status::unknown && limit.deadline().passed())
      throw TimeIsUp();
    return decided;
  } catch (const TimeIsUp &) {
    return verdict(Status::unknown, fmt::format("the {} ms of --timeout passed", *timeout_ms));
  } catch (const z3::exception &failure) { // Z3 is out of memory, for one
    return verdict(Status::unknown, fmt::format("Z3 failed: {}", failure.msg()));
  }
}

Verdict Prover::decide(const Obligation &obligation) {
  auto start = std::chrono::steady_clock::now();
  std::string formula = formula_text(obligation);
  auto known = state_->verdicts.find(formula);
  if (known == state_->verdicts.end())
    known = state_->verdicts.emplace(formula, state_->decide_or_give_up(obligation)).first;
  Verdict result = known->second;
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

bool Prover::proves(const Obligation &obligation) {
  std::string formula = formula_text(obligation);
  if (auto decided = state_->verdicts.find(formula); decided != state_->verdicts.end())
    return decided->second.status == Status::proved;
  auto known = state_->proofs.find(formula);
  if (known != state_->proofs.end())
    return known->second;
  bool proved = false;
  try {
    const TimeLimit limit(state_->timeout_ms);
    proved = state_->proves(obligation, limit.deadline());
  } catch (const TimeIsUp &) { // nothing is proved
  } catch (const z3::exception &) {
  }
  return state_->proofs[formula] = proved;
}

Satisfiability Prover::satisfiable(const std::vector<Pred> &hypotheses,
                                   const std::vector<std::string> &names) {
  Obligation impossible{};
  impossible.sizes = names;
  impossible.hypotheses = hypotheses;
  impossible.claims = {{truth(false), {}}};
  Verdict found = decide(impossible);
  using enum Satisfiability::Answer;
  switch (found.status) {
  case Status::proved: return {no, {}, {}};
  case Status::refuted: return {yes, std::move(found.model), {}};
  case Status::unknown: break;
  }
  return {unknown, {}, std::move(found.reason)};
}

} // namespace atl::proofs
