#include "proofs/search.h"

#include "proofs/refute/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace atl::proofs {

namespace {

using Status = Verdict::Status;

constexpr std::size_t steps_of_a_glance = 20'000, steps_of_a_search = 200'000;
constexpr std::int64_t most_to_minimize =
    100'000; // products of larger sizes are hard for Z3, and all alike to a reader

Verdict verdict(Status status, std::string reason = {}, Valuation model = {}) {
  return {status, std::move(reason), std::move(model), "z3", 0};
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
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

// An instance of Z3 begins with tables of 17 MB. glibc returns blocks of this size to the system when they
// are freed, which clears them for the next instance, page by page: a third of the time of many small
// programs. So it keeps them, in huge pages if the system has any: these are cleared 512 at a time.
void prepare_memory() {
#ifdef __GLIBC__
  constexpr int largest_threshold = 32 << 20; // that glibc accepts
  constexpr int reserved = 128 << 20;         // of addresses; memory is what is used of it
  constexpr std::uintptr_t huge_page = 2 << 20;
  if (mallopt(M_MMAP_THRESHOLD, largest_threshold) != 1 || mallopt(M_TRIM_THRESHOLD, 1 << 30) != 1 ||
      mallopt(M_TOP_PAD, reserved) != 1)
    return;
  auto *block = static_cast<char *>(std::malloc(largest_threshold / 2)); // which adds so much to the heap
  char *begin = block + (huge_page - reinterpret_cast<std::uintptr_t>(block) % huge_page),
       *end = static_cast<char *>(sbrk(0));
  if (block && begin < end)
    madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE); // advice, which may be ignored
  std::free(block);
#endif
}

void prepare_once() {
  static std::once_flag prepared;
  std::call_once(prepared, prepare_memory);
}

} // namespace

Search::Search(std::optional<unsigned> timeout_ms) : timeout_ms_((prepare_once(), timeout_ms)) {}

// Called when neither a quick proof nor a small counterexample is found; the answer is that of the quick
// attempt.
Verdict Search::refute(const Obligation &obligation, z3::check_result answer, const Deadline &deadline) {
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
    answer = solve(context_, formula, Effort::thorough, deadline);
  if (answer == z3::unsat)
    return verdict(Status::proved);
  if (found || answer == z3::sat)
    found = minimize_with_z3(context_, obligation, found, deadline);
  if (found)
    return verdict(Status::refuted, {}, *found);
  return verdict(Status::unknown, unknown_reason(formula, answer));
}

// Each claim from the hypotheses and the claims before it: fewer products at a time.
bool Search::prove_one_by_one(const Obligation &obligation, Effort effort, const Deadline &deadline) {
  std::vector<Pred> hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims) {
    Formula formula = counterexample_formula(hypotheses, claim.holds);
    if (solve(context_, formula, effort, deadline) != z3::unsat)
      return false;
    hypotheses.push_back(claim.holds);
  }
  return true;
}

// Each claim as above, in each of several cases, if there are such.
bool Search::prove_by_cases(const Obligation &obligation, MakeCases make_cases, const Deadline &deadline) {
  std::vector<Pred> hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims)
    hypotheses.push_back(claim.holds);
  if (make_cases(hypotheses, truth(true)).size() == 1)
    return false;
  std::vector<Formula> cases; // of all claims
  hypotheses = obligation.hypotheses;
  for (const Claim &claim : obligation.claims) {
    for (const Case &c : make_cases(hypotheses, claim.holds))
      cases.push_back(counterexample_formula(c.hypotheses, c.claim));
    hypotheses.push_back(claim.holds);
  }
  std::vector<bool> refuted(cases.size(), false);
  if (std::none_of(cases.begin(), cases.end(), has_long_products))
    refuted = refuted_together(context_, cases, deadline);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!refuted[i] && solve(context_, cases[i], Effort::quick, deadline) != z3::unsat)
      return false;
  return true;
}

bool Search::prove_by_claims(const Obligation &obligation, const Deadline &deadline) {
  bool several = obligation.claims.size() > 1;
  return (several && prove_one_by_one(obligation, Effort::quick, deadline)) ||
         prove_one_by_one(obligation, Effort::patient, deadline) ||
         prove_by_cases(obligation, for_each_side, deadline);
}

Verdict Search::decide(const Obligation &obligation, const Deadline &deadline) {
  Formula formula = counterexample_formula(obligation.hypotheses, all_claims(obligation));
  // What does not fit 64 bits is a product of large numbers: few of them need be tried, and Z3 takes long.
  if (obligation.kind == ObligationKind::width && !formula.linear)
    if (std::optional<Valuation> found = search_corners(obligation))
      return verdict(Status::refuted, {}, *found);
  if (!formula.linear && prove_by_cases(obligation, for_each_small_value, deadline))
    return verdict(Status::proved);
  z3::check_result answer = solve(context_, formula, Effort::quick, deadline);
  if (answer == z3::unsat)
    return verdict(Status::proved);
  Enumeration small = enumerate_small(obligation, steps_of_a_glance, deadline);
  if (small.model && small.is_smallest)
    return verdict(Status::refuted, {}, *small.model);
  if (!formula.linear && prove_by_claims(obligation, deadline))
    return verdict(Status::proved);
  return refute(obligation, answer, deadline);
}

bool Search::proves(const Obligation &obligation, const Deadline &deadline) {
  Formula formula = counterexample_formula(obligation.hypotheses, all_claims(obligation));
  if (!formula.linear && prove_by_cases(obligation, for_each_small_value, deadline))
    return true;
  z3::check_result answer = solve(context_, formula, Effort::quick, deadline);
  if (answer != z3::unknown || formula.linear)
    return answer == z3::unsat;
  if (enumerate_small(obligation, steps_of_a_glance, deadline).model)
    return false;
  return prove_by_claims(obligation, deadline) ||
         solve(context_, formula, Effort::thorough, deadline) == z3::unsat;
}

std::vector<bool> Search::proves_together(std::span<const Obligation *const> obligations) {
  std::vector<bool> proved(obligations.size(), false);
  try {
    const TimeLimit limit(timeout_ms_);
    std::vector<Formula> formulas;
    std::vector<std::size_t> asked; // one with long products would take what all others do
    for (std::size_t i = 0; i < obligations.size(); ++i) {
      Formula formula = counterexample_formula(obligations[i]->hypotheses, all_claims(*obligations[i]));
      if (has_long_products(formula))
        continue;
      formulas.push_back(std::move(formula));
      asked.push_back(i);
    }
    if (formulas.size() < 2)
      return proved;
    const std::vector<bool> refuted = refuted_together(context_, formulas, limit.deadline());
    for (std::size_t i = 0; i < asked.size(); ++i)
      proved[asked[i]] = refuted[i];
  } catch (const TimeIsUp &) {
  } catch (const z3::exception &) { // of each alone it may not run out of memory
  }
  return proved;
}

void Search::decide_together(std::span<const Obligation *const> obligations, std::vector<Verdict> &verdicts) {
  auto start = std::chrono::steady_clock::now();
  std::vector<bool> proved(obligations.size(), false);
  if (obligations.size() > 1)
    proved = proves_together(obligations);
  const double each = milliseconds_since(start) / static_cast<double>(obligations.size());
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    verdicts.push_back(proved[i] ? verdict(Status::proved) : decide_or_give_up(*obligations[i]));
    verdicts.back().milliseconds += each;
  }
}

std::vector<Verdict> Search::decide_all(std::span<const Obligation *const> obligations) {
  constexpr std::size_t at_a_time = 48; // more are no faster
  std::vector<Verdict> verdicts;
  for (std::size_t begin = 0; begin < obligations.size(); begin += at_a_time)
    decide_together(obligations.subspan(begin, std::min(at_a_time, obligations.size() - begin)), verdicts);
  return verdicts;
}

Verdict Search::decide_or_give_up(const Obligation &obligation) {
  auto start = std::chrono::steady_clock::now();
  Verdict decided;
  try {
    const TimeLimit limit(timeout_ms_);
    decided = decide(obligation, limit.deadline());
    if (decided.status == Status::unknown && limit.deadline().passed())
      throw TimeIsUp();
  } catch (const TimeIsUp &) {
    decided = verdict(Status::unknown, fmt::format("the {} ms of --timeout passed", *timeout_ms_));
  } catch (const z3::exception &failure) { // Z3 is out of memory, for one
    decided = verdict(Status::unknown, fmt::format("Z3 failed: {}", failure.msg()));
  }
  decided.milliseconds = milliseconds_since(start);
  return decided;
}

bool Search::proves_or_gives_up(const Obligation &obligation) {
  try {
    const TimeLimit limit(timeout_ms_);
    return proves(obligation, limit.deadline());
  } catch (const TimeIsUp &) { // nothing is proved
    return false;
  } catch (const z3::exception &) {
    return false;
  }
}

} // namespace atl::proofs
