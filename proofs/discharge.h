// Deciding obligations with Z3. Unknown is never success.
#pragma once
#include "atl/index/obligation.h"

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::proofs {

struct Verdict {
  enum class Status { proved, refuted, unknown } status = Status::unknown;
  std::string reason; // unknown: why
  Valuation model;    // refuted: the smallest counterexample found (sizes first, then variables)
  std::string prover; // "z3"
  double milliseconds = 0;
};

struct Satisfiability {
  enum class Answer { yes, no, unknown } answer = Answer::unknown;
  Valuation values;   // yes: some that satisfy all, the smallest found
  std::string reason; // unknown: why
};

// Of a prover and those beside it: how many obligations they were given, and how many are decided.
struct Tally {
  std::atomic<std::size_t> given = 0, decided = 0;
};

// Holds the solver and the verdicts by formula: an obligation that was asked before is not asked again. A
// verdict depends on what its prover was asked before, and not on what happens at the same time.
class Prover {
public:
  // Without a limit in milliseconds for each question, the same on every machine: only steps are counted.
  explicit Prover(std::optional<unsigned> timeout_ms = std::nullopt);
  // For work beside that of others. It knows what `before` knows, which lives longer and decides nothing
  // until the work is done.
  explicit Prover(const Prover *before);
  ~Prover();
  Prover(const Prover &) = delete;
  Prover &operator=(const Prover &) = delete;
  std::optional<unsigned> timeout_ms() const;
  Verdict decide(const Obligation &obligation);
  std::vector<Verdict> decide_all(const std::vector<Obligation> &obligations); // on all cores
  // Whether it is decided to be proved, without looking for the counterexample that a user wants to see.
  bool proves(const Obligation &obligation);

  // Whether some values of the names satisfy all hypotheses: a where clause that nothing satisfies makes
  // every obligation true.
  Satisfiability satisfiable(const std::vector<Pred> &hypotheses, const std::vector<std::string> &names);

  const Tally &tally() const;
  void learn(const Prover &other); // what it decided, for what is asked from now on
  void free_solver();              // which takes 17 MB; what is decided stays known
  void take_solver(Prover &other); // and what it was asked before: making one takes as long as some proofs

private:
  struct State;
  std::unique_ptr<State> state_;
};

// The text of an SMT-LIB 2 file whose answer is `unsat` iff the obligation holds.
std::string to_smtlib(const Obligation &obligation, const Sources &sources);

// What the user is told: nothing if proved; the counterexample in the user's names if refuted; the reason if
// unknown.
std::optional<Diagnostic> explain(const Obligation &obligation, const Verdict &verdict);

} // namespace atl::proofs
