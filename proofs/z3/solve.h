// Whether hypotheses imply a claim, by a fixed sequence of attempts with Z3, from the quick to the thorough:
// linear arithmetic alone, with the hypotheses about the claim's own variables if others have alternatives,
// plainly and, if that takes too many steps, after solving equations; with products abstracted and lemmas
// about them; then Z3's nonlinear arithmetic, with and without the lemmas. All attempts but the last of each
// kind have limits that do not depend on the machine.
#pragma once
#include "proofs/z3/purify.h"

#include <z3++.h>

#include <chrono>
#include <optional>

namespace atl::proofs {

class Deadline {
public:
  explicit Deadline(unsigned milliseconds)
      : end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds)) {}
  unsigned remaining_ms() const; // at least 1
  bool passed() const { return std::chrono::steady_clock::now() >= end_; }

private:
  std::chrono::steady_clock::time_point end_;
};

enum class Effort { quick, patient, thorough };

struct Answer {
  z3::check_result result; // unsat: the claim follows; sat: it does not; unknown
  std::string reason;      // of unknown
};
Answer solve(z3::context &context, const Formula &formula, Effort effort, const Deadline &deadline);

z3::solver make_solver(z3::context &context, unsigned rlimit, const std::optional<Deadline> &deadline);
Answer check(z3::solver &solver, z3::expr_vector *assumed = nullptr);

} // namespace atl::proofs
