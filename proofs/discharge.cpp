#include "proofs/discharge.h"

#include "atl/base/workers.h"
#include "proofs/search.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace atl::proofs {

namespace {

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

// What was decided before takes no time.
Verdict again(Verdict known) {
  known.milliseconds = 0;
  return known;
}

} // namespace

struct Prover::State {
  std::optional<unsigned> timeout_ms;
  const State *before = nullptr;
  std::shared_ptr<Tally> tally = std::make_shared<Tally>();
  std::unique_ptr<Search> search = {};                    // once there is something to decide
  std::unordered_map<std::string, Verdict> verdicts = {}; // by formula
  std::unordered_map<std::string, bool> proofs = {};      // of those that nobody wants a counterexample of

  const Verdict *known_verdict(const std::string &formula) const {
    auto known = verdicts.find(formula);
    if (known != verdicts.end())
      return &known->second;
    return before ? before->known_verdict(formula) : nullptr;
  }
  std::optional<bool> known_proof(const std::string &formula) const {
    auto known = proofs.find(formula);
    if (known != proofs.end())
      return known->second;
    return before ? before->known_proof(formula) : std::nullopt;
  }
  Search &own_search() {
    if (!search)
      search = std::make_unique<Search>(timeout_ms);
    return *search;
  }
  void decide_apart(const std::vector<Obligation> &obligations, const std::vector<std::string> &formulas);
};

Prover::Prover(std::optional<unsigned> timeout_ms) : state_(new State{timeout_ms}) {}
Prover::Prover(const Prover *before)
    : state_(new State{before->state_->timeout_ms, before->state_.get(), before->state_->tally}) {}
Prover::~Prover() = default;

std::optional<unsigned> Prover::timeout_ms() const {
  return state_->timeout_ms;
}

void Prover::learn(const Prover &other) {
  state_->verdicts.insert(other.state_->verdicts.begin(), other.state_->verdicts.end());
  state_->proofs.insert(other.state_->proofs.begin(), other.state_->proofs.end());
}

void Prover::free_solver() {
  state_->search.reset();
}

void Prover::take_solver(Prover &other) {
  state_->search = std::move(other.state_->search);
}

const Tally &Prover::tally() const {
  return *state_->tally;
}

Verdict Prover::decide(const Obligation &obligation) {
  ++state_->tally->given;
  std::string formula = formula_text(obligation);
  const Verdict *known = state_->known_verdict(formula);
  Verdict result = known ? again(*known) : state_->own_search().decide_or_give_up(obligation);
  if (!known)
    state_->verdicts.emplace(std::move(formula), result);
  ++state_->tally->decided;
  return result;
}

// Z3 answers by what it was asked before, too. So obligations are put in groups that do not depend on the
// number of cores, each with a context of its own, which costs as much as ten small obligations.
constexpr std::size_t group_size = 144;

// Adds the verdicts of those whose formula is not known.
void Prover::State::decide_apart(const std::vector<Obligation> &obligations,
                                 const std::vector<std::string> &formulas) {
  std::vector<std::size_t> open; // the first with each formula
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < formulas.size(); ++i)
    if (known_verdict(formulas[i]) || !seen.insert(formulas[i]).second)
      ++tally->decided;
    else
      open.push_back(i);
  std::vector<Verdict> found(open.size());
  auto decide_group = [&](Search &by, std::size_t begin) {
    std::vector<const Obligation *> group;
    for (std::size_t i = begin; i < std::min(begin + group_size, open.size()); ++i)
      group.push_back(&obligations[open[i]]);
    std::vector<Verdict> decided = by.decide_all(group);
    std::move(decided.begin(), decided.end(), found.begin() + static_cast<std::ptrdiff_t>(begin));
    tally->decided += group.size();
  };
  if (open.size() <= group_size)
    decide_group(own_search(), 0);
  else {
    const TimeLimit of_the_solver(std::nullopt); // its time does not count for the stage that asks
    for_each_number((open.size() + group_size - 1) / group_size, [&](std::size_t group) {
      Search apart(timeout_ms);
      decide_group(apart, group * group_size);
    });
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    verdicts.emplace(formulas[open[i]], std::move(found[i]));
}

std::vector<Verdict> Prover::decide_all(const std::vector<Obligation> &obligations) {
  state_->tally->given += obligations.size();
  std::vector<std::string> formulas;
  for (const Obligation &obligation : obligations)
    formulas.push_back(formula_text(obligation));
  std::unordered_set<std::string> known;
  for (const std::string &formula : formulas)
    if (state_->known_verdict(formula))
      known.insert(formula);
  state_->decide_apart(obligations, formulas);
  std::vector<Verdict> verdicts;
  for (const std::string &formula : formulas) {
    const Verdict &verdict = *state_->known_verdict(formula);
    verdicts.push_back(known.insert(formula).second ? verdict : again(verdict));
  }
  return verdicts;
}

bool Prover::proves(const Obligation &obligation) {
  std::string formula = formula_text(obligation);
  if (const Verdict *decided = state_->known_verdict(formula))
    return decided->status == Verdict::Status::proved;
  if (auto known = state_->known_proof(formula))
    return *known;
  return state_->proofs[formula] = state_->own_search().proves_or_gives_up(obligation);
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
  case Verdict::Status::proved: return {no, {}, {}};
  case Verdict::Status::refuted: return {yes, std::move(found.model), {}};
  case Verdict::Status::unknown: break;
  }
  return {unknown, {}, std::move(found.reason)};
}

} // namespace atl::proofs
