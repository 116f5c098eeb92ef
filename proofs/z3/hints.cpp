#include "proofs/z3/hints.h"

#include "atl/base/deadline.h"
#include "proofs/z3/hint_facts.h"

#include <algorithm>
#include <set>

namespace atl::proofs {

namespace {

using Kind = HintFact::Kind;

constexpr std::size_t most_hints = 1200;

bool divides(const Monomial &part, const Monomial &whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end(), AtomOrder{});
}

Monomial without(const Monomial &whole, const Monomial &part) {
  Monomial rest;
  std::set_difference(whole.begin(), whole.end(), part.begin(), part.end(), std::back_inserter(rest),
                      AtomOrder{});
  return rest;
}

class HintMaker {
public:
  explicit HintMaker(std::vector<HintFact> facts) : facts_(std::move(facts)) {
    for (const HintFact &fact : facts_)
      learn_monomials(fact.p);
    for (const Monomial &monomial : monomials_)
      degree_ = std::max(degree_, monomial.size());
  }

  std::vector<Hint> run(const std::vector<Monomial> &divisors, Hints choice) {
    for (std::size_t before = 0; before != monomials_.size();) { // definitions of what occurs in definitions
      before = monomials_.size();
      multiply_all(true, true);
    }
    multiply_all(false, false);
    for (const Monomial &divisor : divisors)
      for (const Monomial &monomial : snapshot())
        if (divides(divisor, monomial) && divisor != monomial)
          positive_factors(divisor, without(monomial, divisor));
    if (choice == Hints::wide) {
      multiply_all(true, true);
      multiply_all(false, true);
      multiply_pairs();
    }
    return std::move(hints_);
  }

private:
  std::vector<Monomial> snapshot() const { return {monomials_.begin(), monomials_.end()}; }

  void learn_monomials(const Poly &p) {
    for (const auto &[monomial, coefficient] : p.terms)
      if (monomial.size() > 1)
        monomials_.insert(monomial);
  }

  void multiply_all(bool equations, bool new_monomials) {
    for (std::size_t fact = 0; fact < facts_.size(); ++fact)
      if ((facts_[fact].kind == Kind::equation) == equations)
        multiply_one(fact, equations, new_monomials);
  }

  void multiply_one(std::size_t fact, bool equation, bool new_monomials) {
    std::vector<const Monomial *> targets; // those that occur now
    for (const Monomial &target : monomials_)
      targets.push_back(&target);
    for (const Monomial *target : targets)
      for (const Monomial &part : facts_[fact].meets) {
        if (hints_.size() >= most_hints)
          return;
        take_step();
        if (part.size() < target->size() && divides(part, *target) &&
            (!equation || is_of_use(facts_[fact], part, without(*target, part))))
          multiply(fact, without(*target, part), new_monomials);
      }
  }

  void multiply(std::size_t number, const Monomial &cofactor, bool new_monomials) {
    const HintFact &fact = facts_[number];
    if (done_.contains({number, cofactor}))
      return;
    MaybePoly product = poly_mul(fact.p, as_poly(cofactor));
    if (!product || !fits(*product, cofactor, new_monomials))
      return;
    done_.insert({number, cofactor});
    learn_monomials(*product);
    bool is_inequality = fact.kind == Kind::inequality;
    if (is_inequality)
      nonnegative(cofactor);
    hints_.push_back(
        {is_inequality ? &product_lemma() : &scaled_equation_lemma(), to_index(fact.p), as_index(cofactor)});
  }

  // (N - 1 - i) * (N - 1) >= 0 and the like, of facts that are linear.
  void multiply_pairs() {
    std::vector<HintFact> linear;
    for (const HintFact &fact : facts_)
      if (fact.kind == Kind::inequality && fact.p.terms.begin()->first.size() == 1 && fact.p.terms.size() > 1)
        linear.push_back(fact);
    for (std::size_t a = 0; a < linear.size(); ++a)
      for (std::size_t b = a; b < linear.size() && hints_.size() < most_hints; ++b)
        if (MaybePoly product = poly_mul(linear[a].p, linear[b].p); product && fits(*product, {}, false))
          hints_.push_back({&product_lemma(), to_index(linear[a].p), to_index(linear[b].p)});
  }

  bool fits(const Poly &product, const Monomial &cofactor, bool new_monomials) const {
    return std::all_of(product.terms.begin(), product.terms.end(), [&](const auto &term) {
      const Monomial &m = term.first;
      return m.size() <= 1 || m == cofactor || monomials_.contains(m) ||
             (new_monomials && m.size() <= degree_);
    });
  }

  // An equation is multiplied to express a product with a quotient by products with its definition, or to
  // relate two products that occur.
  bool is_of_use(const HintFact &equation, const Monomial &part, const Monomial &cofactor) const {
    if (is_stand_in(part[0].text()))
      return true;
    auto occurs = [&](const auto &term) {
      Monomial m;
      std::merge(term.first.begin(), term.first.end(), cofactor.begin(), cofactor.end(),
                 std::back_inserter(m), AtomOrder{});
      return monomials_.contains(m);
    };
    return std::count_if(equation.p.terms.begin(), equation.p.terms.end(), occurs) >= 2;
  }

  // g1 * g2 * g3 >= 0 from its factors, two at a time.
  void nonnegative(const Monomial &monomial) {
    for (std::size_t n = 1; n < monomial.size(); ++n) {
      Monomial front(monomial.begin(), monomial.begin() + static_cast<std::ptrdiff_t>(n)), last{monomial[n]};
      if (nonnegative_.insert({front, last}).second)
        hints_.push_back({&product_lemma(), as_index(front), as_index(last)});
    }
  }

  void positive_factors(const Monomial &divisor, const Monomial &cofactor) {
    nonnegative(divisor);
    nonnegative(cofactor);
    hints_.push_back({&positive_factors_lemma(), as_index(divisor), as_index(cofactor)});
  }

  static Poly as_poly(const Monomial &monomial) {
    Poly result;
    result.terms.emplace_back(monomial, 1);
    return result;
  }
  static Index as_index(const Monomial &monomial) { return to_index(as_poly(monomial)); }

  std::vector<HintFact> facts_;
  std::set<Monomial> monomials_; // of degree 2 and more, that occur in the formula and the hints
  std::size_t degree_ = 2;
  std::set<std::pair<std::size_t, Monomial>> done_; // fact and cofactor
  std::set<std::pair<Monomial, Monomial>> nonnegative_;
  std::vector<Hint> hints_;
};

} // namespace

std::vector<Hint> make_hints(const Formula &formula, Hints choice) {
  std::vector<Monomial> divisors;
  for (const Quotient &quotient : formula.quotients)
    if (MaybePoly d = as_written(quotient.divisor); d && !d->is_constant() && d->terms.size() == 1)
      divisors.push_back(d->terms.begin()->first);
  return HintMaker(collect_hint_facts(formula)).run(divisors, choice);
}

Pred as_formula(const Hint &hint) {
  return instance(*hint.lemma, hint.f, hint.g);
}

std::vector<Pred> as_formulas(const std::vector<Hint> &hints) {
  std::vector<Pred> formulas;
  for (const Hint &hint : hints)
    formulas.push_back(as_formula(hint));
  return formulas;
}

} // namespace atl::proofs
