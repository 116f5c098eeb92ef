#include "proofs/refute/certificate.h"

#include "proofs/z3/to_z3.h"

#include <fmt/format.h>

namespace atl::proofs {

namespace {

constexpr unsigned steps_of_a_proof = 1'000'000;    // of Z3, as in the attempts to decide an obligation
constexpr unsigned steps_of_a_shorter_one = 50'000; // it has what the first one used

// What contradicts itself, with each of some predicates behind a literal.
class Needed {
public:
  Needed(z3::context &context, const std::vector<Pred> &always, const std::vector<Pred> &perhaps)
      : context_(context), solver_(make_solver(context_, steps_of_a_proof)) {
    Encoder encoder(context_);
    Linearizer linearizer(context_);
    for (const Pred &p : always)
      solver_.add(linearizer.linear(encoder.encode(p)));
    for (const Pred &p : perhaps) {
      literals_.push_back(context_.bool_const(fmt::format("needed!{}", literals_.size()).c_str()));
      solver_.add(z3::implies(literals_.back(), linearizer.linear(encoder.encode(p))));
    }
  }

  // The numbers of those that Z3 used.
  std::optional<std::vector<std::size_t>> used() {
    std::vector<std::size_t> all(literals_.size());
    for (std::size_t n = 0; n < all.size(); ++n)
      all[n] = n;
    return contradicted(all);
  }

  // The numbers of those without which there is no contradiction.
  std::optional<std::vector<std::size_t>> find() {
    auto needed = used();
    solver_.set("rlimit", steps_of_a_shorter_one);
    for (std::size_t n = 0; needed && n < needed->size();) {
      std::vector<std::size_t> others = *needed;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
      if (auto fewer = contradicted(others))
        needed = fewer;
      else
        ++n;
    }
    return needed;
  }

private:
  // Those of some that Z3 used, in their order.
  std::optional<std::vector<std::size_t>> contradicted(const std::vector<std::size_t> &some) {
    z3::expr_vector assumed(context_);
    for (std::size_t n : some)
      assumed.push_back(literals_[n]);
    if (check(solver_, &assumed) != z3::unsat)
      return std::nullopt;
    z3::expr_vector core = solver_.unsat_core();
    std::vector<std::size_t> used;
    for (std::size_t n : some)
      for (const z3::expr &literal : core)
        if (z3::eq(literal, literals_[n]))
          used.push_back(n);
    return used;
  }

  z3::context &context_;
  z3::solver solver_;
  std::vector<z3::expr> literals_;
};

// What the variables of purification stand for.
Subst originals(const Formula &formula) {
  Subst result;
  for (const StandIn &stand_in : formula.stand_ins)
    result[stand_in.name] =
        binary(stand_in.op, substitute(stand_in.a, result), substitute(stand_in.b, result));
  return result;
}

} // namespace

std::optional<std::vector<Hint>> certificate(const std::vector<Pred> &hypotheses, const Pred &claim) {
  Formula formula = counterexample_formula(hypotheses, claim, Decider::coq);
  const Subst original = originals(formula);
  z3::context context;
  std::vector<Pred> always = formula.parts;
  always.insert(always.end(), formula.definitions.begin(), formula.definitions.end());
  for (Hints choice : {Hints::focused, Hints::wide}) {
    std::vector<Hint> hints = make_hints(formula, choice), result;
    auto needed = Needed(context, always, as_formulas(hints)).find();
    if (!needed)
      continue;
    for (std::size_t n : *needed)
      result.push_back({hints[n].lemma, substitute(hints[n].f, original), substitute(hints[n].g, original)});
    return result;
  }
  return std::nullopt;
}

std::vector<Pred> needed_hypotheses(z3::context &context, const std::vector<Pred> &hypotheses,
                                    const Pred &claim) {
  Formula formula = counterexample_formula(hypotheses, claim, Decider::coq);
  std::vector<Pred> always = formula.definitions;
  always.push_back(formula.parts.back()); // that the claim does not hold
  formula.parts.pop_back();
  auto used = Needed(context, always, formula.parts).used();
  if (!used)
    return hypotheses;
  std::vector<Pred> result;
  for (std::size_t n : *used)
    result.push_back(hypotheses[n]);
  return result;
}

} // namespace atl::proofs
