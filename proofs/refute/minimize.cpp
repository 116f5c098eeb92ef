#include "proofs/refute/minimize.h"

#include "proofs/z3/to_z3.h"

namespace atl::proofs {

namespace {

constexpr unsigned rlimit_per_question = 400'000;
constexpr int most_unanswered = 3;

class Minimizer {
public:
  Minimizer(z3::context &context, const Obligation &obligation, const Deadline &deadline)
      : context_(context), obligation_(obligation), deadline_(deadline), encoder_(context),
        solver_(make_solver(context, rlimit_per_question, deadline)) {
    std::vector<Pred> claims;
    for (const Claim &claim : obligation.claims)
      claims.push_back(claim.holds);
    Formula formula = counterexample_formula(obligation.hypotheses, conj(claims));
    assert_all(formula.parts);
    assert_all(formula.definitions);
    for (const Quotient &quotient : formula.quotients) // elsewhere an evaluation would give nothing
      solver_.add(encoder_.encode(compare(PredOp::gt, quotient.divisor, constant(0))));
    for (const std::string &name : obligation.sizes)
      solver_.add(encoder_.encode(variable(name)) >= 0);
    for (const std::string &name : obligation.variables)
      solver_.add(encoder_.encode(in_range(constant(INT64_MIN), variable(name), constant(INT64_MAX))));
  }

  std::optional<Valuation> run(std::optional<Valuation> known) {
    best_ = std::move(known);
    if (!best_ && !improve(context_.bool_val(true)))
      return std::nullopt;
    Index sum = constant(0);
    for (const std::string &name : obligation_.sizes)
      sum = add(sum, variable(name));
    minimize(sum);
    for (const std::string &name : obligation_.sizes)
      minimize(variable(name));
    for (const std::string &name : obligation_.variables)
      minimize_by_rank(variable(name));
    return best_;
  }

private:
  void assert_all(const std::vector<Pred> &all) {
    for (const Pred &p : all)
      solver_.add(encoder_.encode(p));
  }

  std::int64_t best_value(const Index &e) const { return evaluate(e, *best_).value_or(INT64_MAX); }

  bool gives_up() const { return unanswered_ >= most_unanswered || deadline_.passed(); }

  // Looks for a counterexample that satisfies the condition also, and takes it as the best.
  bool improve(const z3::expr &condition) {
    if (gives_up())
      return false;
    solver_.push();
    if (auto milliseconds = deadline_.remaining_ms())
      solver_.set("timeout", *milliseconds);
    solver_.add(condition);
    std::optional<Valuation> found;
    const z3::check_result answer = check(solver_);
    unanswered_ += answer == z3::unknown ? 1 : 0;
    if (answer == z3::sat)
      found = valuation(solver_.get_model());
    solver_.pop();
    if (!found || !violated_claim(obligation_, *found))
      return false;
    best_ = std::move(found);
    return true;
  }

  std::optional<Valuation> valuation(const z3::model &model) {
    Valuation values;
    for (const std::vector<std::string> *names : {&obligation_.sizes, &obligation_.variables})
      for (const std::string &name : *names) {
        z3::expr value = model.eval(encoder_.encode(variable(name)), true);
        std::int64_t number = 0;
        if (!value.is_numeral_i64(number))
          return std::nullopt;
        values[name] = number;
      }
    return values;
  }

  // The least value >= 0 of an expression that is not negative in the best counterexample; fixes it.
  void minimize(const Index &e) {
    z3::expr objective = encoder_.encode(e);
    std::int64_t lo = 0, step = 4; // most counterexamples are small
    while (lo < best_value(e) && !gives_up()) {
      std::int64_t distance = best_value(e) - lo;
      std::int64_t probe = lo + (step < distance / 4 ? step : distance / 2);
      if (!improve(objective >= 0 && objective <= context_.int_val(probe)))
        lo = probe + 1;
      step = step < distance / 4 ? 4 * step : step;
    }
    solver_.add(objective == context_.int_val(best_value(e)));
  }

  void minimize_by_rank(const Index &e) {
    z3::expr objective = encoder_.encode(e);
    if (best_value(e) >= 0 || improve(objective >= 0))
      return minimize(e);
    solver_.add(objective < 0);
    minimize(sub(constant(0), e));
  }

  z3::context &context_;
  const Obligation &obligation_;
  const Deadline &deadline_;
  Encoder encoder_;
  z3::solver solver_;
  std::optional<Valuation> best_;
  int unanswered_ = 0;
};

} // namespace

std::optional<Valuation> minimize_with_z3(z3::context &context, const Obligation &obligation,
                                          std::optional<Valuation> known, const Deadline &deadline) {
  try {
    return Minimizer(context, obligation, deadline).run(known);
  } catch (const z3::exception &) { // out of memory, interrupted: what is known without it is kept
    return known;
  }
}

} // namespace atl::proofs
