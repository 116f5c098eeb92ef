#include "proofs/z3/alternatives.h"
#include "proofs/z3/hints.h"
#include "proofs/z3/solve.h"
#include "proofs/z3/to_z3.h"

#include <map>
#include <set>
#include <string>

namespace atl::proofs {

namespace {

constexpr unsigned steps_for_all = 1'000'000;
constexpr std::size_t most_models = 4; // then there is little that one question can say of the others

Formula without_what_is_hard(const Formula &all) {
  const Formula formula = count_alternatives(all) >= many_alternatives ? without_alternatives(all) : all;
  Formula part = formula.linear ? formula : without_products(formula);
  return part.linear ? part : formula;
}

// What one formula says, without what is hard. Products are linearized: it may have a model nevertheless.
z3::expr_vector said_by(const Formula &all, z3::context &context, Encoder &encoder, Linearizer &linearizer) {
  const Formula formula = without_what_is_hard(all);
  z3::expr_vector said(context);
  auto add = [&](const std::vector<Pred> &preds) {
    for (const Pred &p : preds)
      said.push_back(formula.linear ? encoder.encode(p) : linearizer.linear(encoder.encode(p)));
  };
  add(formula.parts);
  add(formula.definitions);
  if (!formula.linear)
    add(as_formulas(make_hints(formula, Hints::focused)));
  return said;
}

// In how many of the formulas it is said: equal terms are one in Z3.
using Counts = std::map<unsigned, std::size_t>;

Counts count(const std::vector<z3::expr_vector> &formulas) {
  Counts counts;
  for (const z3::expr_vector &formula : formulas) {
    std::set<unsigned> seen;
    for (const z3::expr &one : formula)
      if (seen.insert(one.id()).second)
        ++counts[one.id()];
  }
  return counts;
}

// Z3's older solver for linear arithmetic: the newer one may branch on integers without end, for which it
// counts next to no steps: 40 seconds for a kernel that takes 4.
z3::solver make_joint_solver(z3::context &context, const Deadline &deadline) {
  constexpr unsigned simplex = 2;
  z3::solver solver = make_solver(context, steps_for_all, deadline);
  z3::params params(context);
  params.set("arith.solver", simplex);
  solver.set(params);
  return solver;
}

} // namespace

std::vector<bool> refuted_together(z3::context &context, const std::vector<Formula> &formulas,
                                   const Deadline &deadline) {
  Encoder encoder(context);
  Linearizer linearizer(context);
  std::vector<z3::expr_vector> said;
  for (const Formula &formula : formulas)
    said.push_back(said_by(formula, context, encoder, linearizer));
  const Counts counts = count(said);
  z3::solver solver = make_joint_solver(context, deadline);
  for (const z3::expr &one : said.front()) // what all say is said once
    if (counts.at(one.id()) == said.size())
      solver.add(one);
  z3::expr_vector holds(context); // of each formula, whether the rest of it does
  for (std::size_t i = 0; i < said.size(); ++i) {
    holds.push_back(context.bool_const(("formula!" + std::to_string(i)).c_str()));
    for (const z3::expr &one : said[i])
      if (counts.at(one.id()) < said.size())
        solver.add(z3::implies(holds.back(), one));
  }
  solver.add(z3::mk_or(holds));
  std::vector<bool> refuted(formulas.size(), true);
  for (std::size_t models = 0; models < most_models; ++models) {
    const z3::check_result answer = check(solver);
    if (answer == z3::unsat)
      return refuted;
    if (answer == z3::unknown)
      break;
    const z3::model model = solver.get_model();
    for (int i = 0; i < static_cast<int>(holds.size()); ++i)
      if (refuted[static_cast<std::size_t>(i)] && model.eval(holds[i], true).is_true()) {
        refuted[static_cast<std::size_t>(i)] = false;
        solver.add(!holds[i]);
      }
  }
  return std::vector<bool>(formulas.size(), false);
}

} // namespace atl::proofs
