#include "proofs/hints.h"

#include <algorithm>
#include <set>

namespace atl::proofs {

namespace {

struct Fact {
  Poly p;
  bool is_equation; // p == 0, otherwise p >= 0
};

constexpr std::size_t most_hints = 400;

Poly product_of(const Monomial &monomial, const std::map<std::string, Index> &atoms) {
  Poly result;
  result.terms[monomial] = 1;
  for (const std::string &key : monomial)
    result.atoms.emplace(key, atoms.at(key));
  return result;
}

bool divides(const Monomial &part, const Monomial &whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end(), AtomOrder{});
}

Monomial without(const Monomial &whole, const Monomial &part) {
  Monomial rest;
  std::set_difference(whole.begin(), whole.end(), part.begin(), part.end(), std::back_inserter(rest),
                      AtomOrder{});
  return rest;
}

// Every comparison of the formula as facts, those of alternatives too: a hint states its premises.
class FactCollector {
public:
  std::vector<Fact> facts;

  void add(MaybePoly p, bool is_equation) {
    if (p && !p->is_constant())
      facts.push_back({std::move(*p), is_equation});
  }

  void either_side(const MaybePoly &difference) { // difference != 0
    if (!difference)
      return;
    add(poly_add(*difference, poly_constant(-1)), false);
    add(poly_add(poly_constant(-1), *difference, -1), false);
  }

  void collect(const Pred &p, bool positive) {
    switch (p->op) {
    case PredOp::truth: return;
    case PredOp::neg: return collect(p->a, !positive);
    case PredOp::conj:
    case PredOp::disj: collect(p->a, positive); return collect(p->b, positive);
    default: break;
    }
    MaybePoly a = polynomial(p->lhs), b = polynomial(p->rhs);
    if (!a || !b)
      return;
    if (p->op == PredOp::eq || p->op == PredOp::ne) {
      MaybePoly difference = poly_add(*a, *b, -1);
      return (p->op == PredOp::eq) == positive ? add(difference, true) : either_side(difference);
    }
    bool less = p->op == PredOp::lt || p->op == PredOp::le,
         strict = p->op == PredOp::lt || p->op == PredOp::gt;
    bool upward = less == positive; // lhs (<) rhs
    MaybePoly slack = upward ? poly_add(*b, *a, -1) : poly_add(*a, *b, -1);
    add(slack && strict == positive ? poly_add(*slack, poly_constant(-1)) : slack, false);
  }
};

class HintMaker {
public:
  HintMaker(std::vector<Fact> facts, Hints choice) : facts_(std::move(facts)), choice_(choice) {
    for (const Fact &fact : facts_)
      learn_monomials(fact.p);
    for (const Monomial &monomial : monomials_)
      degree_ = std::max(degree_, monomial.size());
  }

  std::vector<Pred> run(const std::vector<Monomial> &divisors) {
    saturate(true);
    saturate(false);
    for (const Monomial &divisor : divisors)
      for (const Monomial &monomial : snapshot())
        if (divides(divisor, monomial) && divisor != monomial)
          positive_factors(divisor, without(monomial, divisor));
    if (choice_ == Hints::wide)
      for (const Fact &fact : std::vector<Fact>(facts_))
        for (const Monomial &monomial : snapshot())
          multiply_to_meet(fact, monomial, true);
    return std::move(hints_);
  }

private:
  std::vector<Monomial> snapshot() const { return {monomials_.begin(), monomials_.end()}; }

  void learn_monomials(const Poly &p) {
    atoms_.insert(p.atoms.begin(), p.atoms.end());
    for (const auto &[monomial, coefficient] : p.terms)
      if (monomial.size() > 1)
        monomials_.insert(monomial);
  }

  void saturate(bool equations) {
    for (std::size_t before = 0; before != monomials_.size();) {
      before = monomials_.size();
      for (const Fact &fact : facts_)
        if (fact.is_equation == equations)
          for (const Monomial &monomial : snapshot())
            multiply_to_meet(fact, monomial, equations);
      if (!equations)
        return;
    }
  }

  void multiply_to_meet(const Fact &fact, const Monomial &target, bool new_monomials) {
    for (const auto &[part, coefficient] : fact.p.terms) {
      if (part.empty() || part == target || !divides(part, target))
        continue;
      if (fact.is_equation && part.size() > 1)
        continue;
      multiply(fact, without(target, part), new_monomials);
    }
  }

  void multiply(const Fact &fact, const Monomial &cofactor, bool new_monomials) {
    Poly factor = product_of(cofactor, atoms_);
    Index f = to_index(fact.p), g = to_index(factor);
    if (hints_.size() >= most_hints || done_.contains({to_string(f), cofactor}))
      return;
    MaybePoly product = poly_mul(fact.p, factor);
    if (!product || !fits(*product, cofactor, new_monomials))
      return;
    done_.insert({to_string(f), cofactor});
    learn_monomials(*product);
    if (!fact.is_equation)
      nonnegative(cofactor);
    hints_.push_back(instance(fact.is_equation ? scaled_equation_lemma() : product_lemma(), f, g));
  }

  bool fits(const Poly &product, const Monomial &cofactor, bool new_monomials) const {
    return std::all_of(product.terms.begin(), product.terms.end(), [&](const auto &term) {
      const Monomial &m = term.first;
      return m.size() <= 1 || m == cofactor || monomials_.contains(m) ||
             (new_monomials && m.size() <= degree_);
    });
  }

  void positive_factors(const Monomial &divisor, const Monomial &cofactor) {
    nonnegative(divisor);
    nonnegative(cofactor);
    hints_.push_back(instance(positive_factors_lemma(), to_index(product_of(divisor, atoms_)),
                              to_index(product_of(cofactor, atoms_))));
  }

  // g1 * g2 * g3 >= 0 from its factors, two at a time.
  void nonnegative(const Monomial &monomial) {
    for (std::size_t n = 2; n <= monomial.size(); ++n) {
      Monomial front(monomial.begin(), monomial.begin() + static_cast<std::ptrdiff_t>(n - 1));
      if (done_.insert({to_string(to_index(product_of(front, atoms_))), {monomial[n - 1]}}).second)
        hints_.push_back(
            instance(product_lemma(), to_index(product_of(front, atoms_)), atoms_.at(monomial[n - 1])));
    }
  }

  std::vector<Fact> facts_;
  Hints choice_;
  std::map<std::string, Index> atoms_;
  std::set<Monomial> monomials_; // of degree 2 and more, that occur in the formula and the hints
  std::size_t degree_ = 2;
  std::set<std::pair<std::string, Monomial>> done_;
  std::vector<Pred> hints_;
};

// From i * M + j == k * M + l the difference i - k, of which either sign, or 0, is worth multiplying with M.
void compare_cofactors(FactCollector &collector) {
  std::set<std::string> done;
  for (std::size_t n = 0; n < collector.facts.size(); ++n) { // grows: differences have cofactors again
    if (!collector.facts[n].is_equation)
      continue;
    Poly equation = collector.facts[n].p;
    for (const auto &[monomial, coefficient] : equation.terms)
      for (const std::string &key : monomial) {
        auto division = poly_divide(equation, poly_atom(equation.atoms.at(key)));
        if (!division || division->quotient.terms.size() < 2 || division->quotient.is_constant() ||
            !done.insert(to_string(to_index(division->quotient))).second)
          continue;
        collector.either_side(division->quotient);
        collector.add(division->quotient, true);
      }
  }
}

// What a quotient is expected to be: (i * M + j) / M is i, and the quotient of that by its own factor alike.
using Expected = std::map<std::string, Poly>;

Poly expect(const Poly &p, const Expected &expected) {
  Poly result;
  for (const auto &[monomial, coefficient] : p.terms) {
    MaybePoly term = poly_constant(coefficient);
    for (const std::string &key : monomial) {
      auto known = expected.find(key);
      if (term)
        term = poly_mul(*term, known == expected.end() ? poly_atom(p.atoms.at(key)) : known->second);
    }
    MaybePoly sum = term ? poly_add(result, *term) : term;
    if (!sum)
      return p;
    result = *sum;
  }
  return result;
}

void add_quotient_facts(const Quotient &quotient, FactCollector &into, Expected &expected) {
  MaybePoly e = polynomial(quotient.numerator), d = polynomial(quotient.divisor);
  MaybePoly q = polynomial(quotient.quotient), r = polynomial(quotient.remainder);
  MaybePoly whole = d ? poly_mul(*q, *d) : d;
  MaybePoly rest = e && whole ? poly_add(*e, *whole, -1) : whole;
  if (!e || !d || !rest)
    return;
  into.add(poly_add(*rest, *r, -1), true);
  into.add(r, false);
  into.add(poly_add(*d, poly_add(*r, poly_constant(1)).value(), -1), false);
  into.add(poly_add(*d, poly_constant(-1)), false);
  into.add(poly_add(poly_constant(-1), *q, -1), false);
  into.add(q, false);
  auto division = poly_divide(expect(*e, expected), *d);
  if (!division || division->quotient.terms.empty())
    return;
  expected[quotient.quotient->name] = division->quotient;
  expected[quotient.remainder->name] = division->rest;
  into.either_side(poly_add(*q, division->quotient, -1));
  into.add(poly_add(*q, division->quotient, -1), true);
}

} // namespace

std::vector<Pred> make_hints(const std::vector<Pred> &facts, const std::vector<Quotient> &quotients,
                             Hints choice) {
  FactCollector collector;
  for (const Pred &p : facts)
    collector.collect(p, true);
  Expected expected;
  std::vector<Monomial> divisors;
  for (const Quotient &quotient : quotients) {
    add_quotient_facts(quotient, collector, expected);
    if (MaybePoly d = polynomial(quotient.divisor); d && !d->is_constant() && d->terms.size() == 1)
      divisors.push_back(d->terms.begin()->first);
  }
  compare_cofactors(collector);
  return HintMaker(std::move(collector.facts), choice).run(divisors);
}

bool is_linear(const std::vector<Pred> &facts) {
  bool linear = true;
  auto visit = [&](const Index &e) {
    linear = linear && (e->op != IndexOp::mul || as_constant(e->a) || as_constant(e->b));
  };
  for (const Pred &p : facts)
    for_each_subexpression(p, visit);
  return linear;
}

} // namespace atl::proofs
