#include "proofs/z3/solve.h"

#include "proofs/z3/alternatives.h"
#include "proofs/z3/hints.h"
#include "proofs/z3/to_z3.h"

#include <algorithm>
#include <optional>

namespace atl::proofs {

static std::size_t factors(const Index &e) {
  if (is_leaf(e))
    return e->op == IndexOp::variable ? 1 : 0;
  const std::size_t a = factors(e->a), b = factors(e->b);
  return e->op == IndexOp::mul ? a + b : std::max(a, b);
}

bool has_long_products(const Formula &formula) {
  constexpr std::size_t most_factors = 6;
  std::size_t most = 0;
  for (const std::vector<Pred> *parts : {&formula.parts, &formula.definitions})
    for (const Pred &p : *parts)
      for_each_subexpression(p, [&](const Index &e) { most = std::max(most, factors(e)); });
  return most > most_factors;
}

static z3::params limits(z3::context &context, unsigned rlimit, const Deadline &deadline) {
  z3::params result(context);
  result.set("rlimit", rlimit);
  if (auto milliseconds = deadline.remaining_ms()) // a timer costs as much as many an obligation
    result.set("timeout", *milliseconds);
  return result;
}

z3::solver make_solver(z3::context &context, unsigned rlimit, const Deadline &deadline) {
  z3::solver solver(context, z3::solver::simple()); // no tactics: these cost more than most obligations
  z3::params params = limits(context, rlimit, deadline);
  params.set("arith.nl.nra", false); // it takes seconds for a few hundred steps
  solver.set(params);
  return solver;
}

z3::check_result check(z3::solver &solver, z3::expr_vector *assumed) {
  try {
    return assumed ? solver.check(*assumed) : solver.check();
  } catch (const z3::exception &) {
    return z3::unknown;
  }
}

namespace {

struct Attempt {
  Effort effort;
  std::optional<Hints> hints;
  bool linearized;
  unsigned rlimit; // about 5 per microsecond in linear arithmetic, 0.3 to 3 in nonlinear
};

constexpr Attempt linear_attempt{Effort::quick, std::nullopt, false, 1'000'000};
constexpr Attempt nonlinear_attempts[] = {
    {Effort::quick, Hints::focused, true, 1'000'000},   {Effort::patient, Hints::wide, true, 1'000'000},
    {Effort::thorough, Hints::focused, false, 500'000}, {Effort::thorough, std::nullopt, false, 200'000},
    {Effort::thorough, Hints::wide, false, 500'000},
};

z3::check_result run(z3::context &context, const Formula &formula, const Attempt &attempt,
                     const Deadline &deadline) {
  z3::solver solver = make_solver(context, attempt.rlimit, deadline);
  Encoder encoder(context);
  Linearizer linearizer(context);
  auto assert_all = [&](const std::vector<Pred> &all) {
    for (const Pred &p : all)
      solver.add(attempt.linearized ? linearizer.linear(encoder.encode(p)) : encoder.encode(p));
  };
  assert_all(formula.parts);
  assert_all(formula.definitions);
  if (attempt.hints)
    assert_all(as_formulas(make_hints(formula, *attempt.hints)));
  const z3::check_result answer = check(solver);
  return attempt.linearized && answer == z3::sat ? z3::unknown : answer; // it need not respect products
}

// Where the plain solver gets lost: equations are solved first, which changes what it searches in.
z3::check_result solve_linear_by_tactics(z3::context &context, const Formula &formula,
                                         const Deadline &deadline) {
  z3::tactic tactic =
      z3::tactic(context, "simplify") & z3::tactic(context, "solve-eqs") & z3::tactic(context, "smt");
  z3::solver solver = tactic.mk_solver();
  solver.set(limits(context, linear_attempt.rlimit, deadline));
  Encoder encoder(context);
  for (const Pred &p : formula.parts)
    solver.add(encoder.encode(p));
  for (const Pred &p : formula.definitions)
    solver.add(encoder.encode(p));
  return check(solver);
}

z3::check_result solve_linear(z3::context &context, const Formula &formula, const Deadline &deadline) {
  // Alternatives that have nothing to do with the claim may lead Z3 astray.
  if (count_alternatives(formula) > 0) {
    const Formula part = about_the_claim(formula);
    if (count_alternatives(part) == 0 && run(context, part, linear_attempt, deadline) == z3::unsat)
      return z3::unsat;
  }
  const z3::check_result answer = run(context, formula, linear_attempt, deadline);
  if (answer != z3::unknown || deadline.passed())
    return answer;
  return solve_linear_by_tactics(context, formula, deadline);
}

} // namespace

z3::check_result solve(z3::context &context, const Formula &formula, Effort effort,
                       const Deadline &deadline) {
  if (effort == Effort::quick && count_alternatives(formula) >= many_alternatives &&
      solve(context, without_alternatives(formula), effort, deadline) == z3::unsat)
    return z3::unsat;
  if (formula.linear)
    return solve_linear(context, formula, deadline);
  if (effort == Effort::quick)
    if (const Formula part = without_products(formula);
        part.linear && solve_linear(context, part, deadline) == z3::unsat)
      return z3::unsat;
  if (effort == Effort::thorough && has_long_products(formula))
    return z3::unknown;
  for (const Attempt &attempt : nonlinear_attempts) {
    if (attempt.effort != effort || deadline.passed())
      continue;
    const z3::check_result answer = run(context, formula, attempt, deadline);
    if (answer != z3::unknown)
      return answer;
  }
  return z3::unknown;
}

} // namespace atl::proofs
