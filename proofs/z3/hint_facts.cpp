#include "proofs/z3/hint_facts.h"

#include "atl/index/ops.h"

#include <algorithm>
#include <map>
#include <set>

namespace atl::proofs {

namespace {

using Kind = HintFact::Kind;

std::vector<Monomial> monomials(const Poly &p, std::size_t largest_degree) {
  std::vector<Monomial> found;
  for (const auto &[monomial, coefficient] : p.terms)
    if (!monomial.empty() && monomial.size() <= largest_degree)
      found.push_back(monomial);
  return found;
}

bool occurs_in(const Poly &p, const Atom &atom) {
  return std::any_of(p.terms.begin(), p.terms.end(), [&](const auto &term) {
    return std::find(term.first.begin(), term.first.end(), atom) != term.first.end();
  });
}

// Of several terms: the one of most terms if there are many. In the difference of two row-major offsets that
// is the innermost extent.
std::vector<Atom> common_factors(const Poly &p) {
  constexpr std::size_t many_terms = 6;
  std::map<Atom, std::size_t> terms_with;
  for (const auto &[monomial, coefficient] : p.terms)
    if (monomial.size() > 1)
      for (const Atom &atom : std::set<Atom>(monomial.begin(), monomial.end()))
        ++terms_with[atom];
  std::vector<Atom> found;
  std::size_t most = 2;
  for (const auto &[atom, count] : terms_with) {
    if (p.terms.size() > many_terms && count > most)
      found.clear();
    if (count >= most)
      found.push_back(atom);
    if (p.terms.size() > many_terms)
      most = std::max(most, count);
  }
  return found;
}

class Collector {
public:
  std::vector<HintFact> facts;

  void add(Kind kind, const MaybePoly &p) {
    if (p && !p->is_constant())
      facts.push_back({kind, *p, monomials(*p, kind == Kind::equation ? 1 : SIZE_MAX)});
  }

  // a >= b + margin
  void at_least(const MaybePoly &a, const MaybePoly &b, std::int64_t margin) {
    MaybePoly difference = a && b ? poly_add(*a, *b, -1) : std::nullopt;
    MaybePoly slack = difference ? poly_add(*difference, poly_constant(margin), -1) : difference;
    add(Kind::inequality,
        slack ? slack : difference); // without the margin, too, it has the products that occur
  }

  void differ(const MaybePoly &a, const MaybePoly &b) {
    at_least(a, b, 1);
    at_least(b, a, 1);
  }

  void compare(const MaybePoly &a, const MaybePoly &b) { // whichever is greater, or neither
    differ(a, b);
    add(Kind::guess, a && b ? poly_add(*a, *b, -1) : std::nullopt);
  }

  void collect(const Pred &p, bool positive) {
    if (p->op == PredOp::neg)
      return collect(p->a, !positive);
    if (p->op == PredOp::conj || p->op == PredOp::disj) {
      collect(p->a, positive);
      return collect(p->b, positive);
    }
    if (p->lhs)
      collect_comparison(p->op, positive, as_written(p->lhs), as_written(p->rhs));
  }

  // From i * M + j == k * M + l the difference i - k is worth comparing with 0, for then it is multiplied
  // with M.
  void compare_cofactors() {
    std::set<std::string> done;
    for (std::size_t n = 0; n < facts.size(); ++n) { // grows: differences have cofactors again
      if (facts[n].kind == Kind::inequality)
        continue;
      Poly equation = facts[n].p;
      for (const Atom &atom : common_factors(equation)) {
        auto division = poly_divide(equation, poly_atom(atom));
        if (division && done.insert(to_string(to_index(division->quotient))).second)
          compare(division->quotient, Poly());
      }
    }
  }

  // From outside in: products with an inner one occur only once the outer one is taken to be that.
  void add_extrema(const std::vector<StandIn> &stand_ins) {
    for (auto m = stand_ins.rbegin(); m != stand_ins.rend(); ++m)
      if (is_extremum(m->op))
        for (const Index &side : {m->a, m->b}) {
          MaybePoly p = as_written(side);
          add(Kind::guess, p ? poly_add(poly_atom(variable(m->name)), *p, -1) : p);
        }
  }

private:
  void collect_comparison(PredOp op, bool positive, const MaybePoly &a, const MaybePoly &b) {
    switch (op) {
    case PredOp::lt: return positive ? at_least(b, a, 1) : at_least(a, b, 0);
    case PredOp::le: return positive ? at_least(b, a, 0) : at_least(a, b, 1);
    case PredOp::gt: return collect_comparison(PredOp::lt, positive, b, a);
    case PredOp::ge: return collect_comparison(PredOp::le, positive, b, a);
    case PredOp::ne: return collect_comparison(PredOp::eq, !positive, a, b);
    default: break;
    }
    if (!positive)
      return differ(a, b);
    add(Kind::equation, a && b ? poly_add(*a, *b, -1) : std::nullopt);
  }
};

// What a quotient or remainder is expected to be: (i * M + j) / M is i, and the quotient of that by its own
// factor alike.
using Expected = std::map<std::string, Poly>;

Poly with_expected(const Poly &p, const Expected &expected) {
  Poly result;
  for (const auto &[monomial, coefficient] : p.terms) {
    MaybePoly term = poly_constant(coefficient);
    for (const Atom &atom : monomial) {
      auto known = expected.find(atom.text());
      if (term)
        term = poly_mul(*term, known == expected.end() ? poly_atom(atom) : known->second);
    }
    MaybePoly sum = term ? poly_add(result, *term) : term;
    if (!sum)
      return p;
    result = *sum;
  }
  return result;
}

// (x * D + D - 1) / D is x with the rest D - 1, not x + 1 with the rest -1.
std::optional<Division> expected_division(const Poly &e, const Poly &d) {
  auto division = poly_divide(e, d);
  if (!division || !division->rest.is_constant() || division->rest.constant_term() >= 0)
    return division;
  MaybePoly quotient = poly_add(division->quotient, poly_constant(-1)), rest = poly_add(division->rest, d);
  return quotient && rest ? Division{*quotient, *rest} : division;
}

class QuotientFacts {
public:
  explicit QuotientFacts(Collector &into) : into_(into) {}

  void add(const Quotient &quotient) {
    MaybePoly e = as_written(quotient.numerator), d = as_written(quotient.divisor);
    Poly q = poly_atom(quotient.quotient), r = poly_atom(quotient.remainder);
    if (!e || !d)
      return;
    define(*e, *d, q, r);
    into_.at_least(r, Poly(), 0);
    into_.at_least(d, r, 1);
    into_.at_least(d, Poly(), 1);
    into_.at_least(q, Poly(), 0);
    into_.at_least(Poly(), q, 1);
    compare_with_expected(quotient, *e, *d, q);
    compare_with_nested(quotient, *e, *d, q);
    differ_from_others(*d, q);
  }

private:
  struct Origin {
    Poly numerator, divisor;
  };

  void define(const Poly &e, const Poly &d, const Poly &q, const Poly &r) {
    MaybePoly product = poly_mul(q, d);
    MaybePoly whole = product ? poly_add(*product, r) : product;
    MaybePoly definition = whole ? poly_add(e, *whole, -1) : whole;
    std::vector<Monomial> meets = monomials(e, 1);
    std::erase_if(meets, [&](const Monomial &m) { return occurs_in(d, m[0]); }); // cdiv adds its divisor
    if (d.is_constant()) // x / 2 * N * 2 + x % 2 * N is x * N
      meets.push_back({q.terms.begin()->first});
    if (definition)
      into_.facts.push_back({Kind::equation, *definition, meets});
  }

  void compare_with_expected(const Quotient &quotient, const Poly &e, const Poly &d, const Poly &q) {
    auto division = expected_division(with_expected(e, expected_), d);
    if (!division || division->quotient.terms.empty())
      return;
    expected_[quotient.quotient->name] = division->quotient;
    expected_[quotient.remainder->name] = division->rest;
    into_.compare(q, division->quotient);
  }

  // x / D / C and x / (C * D) are worth comparing.
  void compare_with_nested(const Quotient &quotient, const Poly &e, const Poly &d, const Poly &q) {
    Origin origin{e, d};
    if (auto inner = origins_.find(to_string(to_index(e))); inner != origins_.end())
      if (MaybePoly both = poly_mul(d, inner->second.divisor))
        origin = {inner->second.numerator, *both};
    auto [known, is_new] = quotients_.try_emplace(
        to_string(to_index(origin.numerator)) + " / " + to_string(to_index(origin.divisor)), q);
    if (!is_new)
      into_.compare(q, known->second);
    origins_.emplace(quotient.quotient->name, std::move(origin));
  }

  // (k + i) % M == (k + j) % M for i and j in 0 .. M - 1: quotients that differ do so by M or more.
  void differ_from_others(const Poly &d, const Poly &q) {
    if (d.is_constant())
      return;
    std::vector<Poly> &others = by_divisor_[to_string(to_index(d))];
    for (const Poly &other : others)
      into_.compare(q, other);
    others.push_back(q);
  }

  Collector &into_;
  Expected expected_;
  std::map<std::string, Origin> origins_; // of each quotient: what is divided by what in the end
  std::map<std::string, Poly> quotients_; // by origin
  std::map<std::string, std::vector<Poly>> by_divisor_;
};

// What minima, and quotients of these by numbers, are at most: cdiv(min(48, e), 16) is at most 3.
class Limits {
public:
  explicit Limits(const std::vector<StandIn> &stand_ins) {
    for (const StandIn &s : stand_ins) // each mentions those before it
      if (auto limit = find(s))
        limits_.emplace(s.name, *limit);
  }

  // A product with the quotient is at most that multiple of its other factor.
  void add_to(Collector &collector, const Quotient &quotient) const {
    if (auto limit = limits_.find(quotient.quotient->name); limit != limits_.end())
      collector.at_least(poly_constant(limit->second), poly_atom(quotient.quotient), 0);
  }

private:
  std::optional<std::int64_t> find(const StandIn &s) const {
    const auto a = of(s.a), b = of(s.b);
    if (s.op == IndexOp::min)
      return a && b ? std::min(a, b) : a ? a : b;
    const auto divisor = s.op == IndexOp::div ? as_constant(s.b) : std::nullopt;
    return a && divisor && *divisor > 0 ? std::optional(floor_div(*a, *divisor)) : std::nullopt;
  }

  std::optional<std::int64_t> of(const Index &e) const {
    const MaybePoly p = as_written(e);
    if (!p)
      return std::nullopt;
    std::int64_t sum = p->constant_term();
    for (const auto &[monomial, coefficient] : p->terms) {
      if (monomial.empty())
        continue;
      const auto limit = limits_.find(monomial[0].text());
      std::int64_t term = 0;
      if (monomial.size() > 1 || coefficient < 0 || limit == limits_.end() ||
          __builtin_mul_overflow(coefficient, limit->second, &term) ||
          __builtin_add_overflow(sum, term, &sum))
        return std::nullopt;
    }
    return sum;
  }

  std::map<std::string, std::int64_t> limits_;
};

} // namespace

std::vector<HintFact> collect_hint_facts(const Formula &formula) {
  Collector collector;
  for (const Pred &p : formula.parts)
    collector.collect(p, true);
  collector.compare_cofactors();
  QuotientFacts quotient_facts(collector);
  const Limits limits(formula.stand_ins);
  for (const Quotient &quotient : formula.quotients) {
    quotient_facts.add(quotient);
    if (formula.by == Decider::z3)
      limits.add_to(collector, quotient);
  }
  collector.add_extrema(formula.stand_ins);
  return std::move(collector.facts);
}

} // namespace atl::proofs
