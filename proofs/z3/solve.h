// Whether hypotheses imply a claim, by a fixed sequence of attempts with Z3, from the quick to the thorough:
// linear arithmetic alone, with the hypotheses about the claim's own variables if others have alternatives,
// plainly and, if that takes too many steps, after solving equations; with products abstracted and lemmas
// about them; then Z3's nonlinear arithmetic, with and without the lemmas. Each attempt may take so many
// steps as Z3 counts them, so its answer does not depend on the machine. A deadline is what the user asks
// for.
#pragma once
#include "atl/base/deadline.h"
#include "proofs/z3/purify.h"

#include <z3++.h>

namespace atl::proofs {

enum class Effort { quick, patient, thorough };

// unsat: the claim follows; sat: it does not.
z3::check_result solve(z3::context &context, const Formula &formula, Effort effort, const Deadline &deadline);

// Z3 does not count what it does with products of many factors.
bool has_long_products(const Formula &formula);

// Which of the formulas have no model: found by one question about all of them, which takes a fraction of the
// time of a question for each, by the first attempt alone. What is not found may have none, too.
std::vector<bool> refuted_together(z3::context &context, const std::vector<Formula> &formulas,
                                   const Deadline &deadline);

z3::solver make_solver(z3::context &context, unsigned rlimit, const Deadline &deadline = Deadline());
z3::check_result check(z3::solver &solver, z3::expr_vector *assumed = nullptr);

} // namespace atl::proofs
