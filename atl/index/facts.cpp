#include "atl/index/facts.h"

#include "atl/base/check.h"
#include "atl/index/fourier_motzkin.h"
#include "atl/index/poly.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace atl {

using Polys = std::vector<Poly>; // each known to be >= 0

struct Facts::Memory {
  std::unordered_map<std::string, bool> answers;      // whether a polynomial is >= 0
  std::unordered_set<std::string> open;               // goals that are being decided; none is its own proof
  bool met_open = false;                              // since a goal was opened
  std::unordered_map<std::string, Polys> definitions; // of atoms
};

namespace {

using Borrowed = std::vector<const Poly *>;

// Normal form of e under the facts; atoms are simplified too.
MaybePoly normalize(const Facts &facts, const Index &e);

MaybePoly difference(const Facts &facts, const Index &a, const Index &b, std::int64_t plus) {
  auto pa = normalize(facts, a), pb = normalize(facts, b);
  if (!pa || !pb)
    return std::nullopt;
  auto d = poly_add(*pa, *pb, -1);
  return d ? poly_add(*d, poly_constant(plus)) : d;
}

MaybePoly quotient_and(const Poly &quotient, const Index &atom) {
  return poly_add(quotient, poly_atom(atom));
}

// e / d, e % d and cdiv(e, d): whole multiples of d leave the division; what remains vanishes if its range is
// known.
MaybePoly normalize_division(const Facts &facts, const Index &e) {
  auto dividend = normalize(facts, e->a), divisor = normalize(facts, e->b);
  if (!dividend || !divisor)
    return std::nullopt;
  Index d = to_index(*divisor);
  if (as_constant(d).value_or(1) <= 0)
    return poly_atom(binary(e->op, to_index(*dividend), d)); // has no value; an obligation says so
  Division division{poly_constant(0), *dividend};
  if (auto found = poly_divide(*dividend, *divisor))
    division = *found;
  Index rest = to_index(division.rest);
  bool whole = division.rest.terms.empty();
  auto rest_in = [&](const Poly &lo, const Poly &hi) { // lo <= rest < hi
    auto above = poly_add(division.rest, lo, -1), below = poly_add(hi, division.rest, -1);
    auto strictly_below = below ? poly_add(*below, poly_constant(-1)) : below;
    return above && strictly_below && facts.proves_nonnegative(*above) &&
           facts.proves_nonnegative(*strictly_below);
  };
  const Poly zero = poly_constant(0), one = poly_constant(1);
  switch (e->op) {
  case IndexOp::div:
    if (whole || rest_in(zero, *divisor))
      return division.quotient;
    return quotient_and(division.quotient, floor_div(rest, d));
  case IndexOp::mod:
    if (whole || rest_in(zero, *divisor))
      return division.rest;
    return poly_atom(modulo(rest, d));
  default: {
    auto before = poly_add(one, *divisor, -1), after = poly_add(*divisor, one);
    if (whole || (before && rest_in(*before, one)))
      return division.quotient;
    if (after && rest_in(one, *after))
      return poly_add(division.quotient, one);
    return quotient_and(division.quotient, ceil_div(rest, d));
  }
  }
}

MaybePoly normalize_extremum(const Facts &facts, const Index &e) {
  auto a = normalize(facts, e->a), b = normalize(facts, e->b);
  if (!a || !b)
    return std::nullopt;
  bool is_min = e->op == IndexOp::min;
  auto a_to_b = poly_add(*b, *a, -1), b_to_a = poly_add(*a, *b, -1);
  if (a_to_b && facts.proves_nonnegative(*a_to_b))
    return is_min ? a : b;
  if (b_to_a && facts.proves_nonnegative(*b_to_a))
    return is_min ? b : a;
  return poly_atom(binary(e->op, to_index(*a), to_index(*b)));
}

MaybePoly normalize(const Facts &facts, const Index &e) {
  switch (e->op) {
  case IndexOp::constant: return poly_constant(e->value);
  case IndexOp::variable: return poly_atom(e);
  case IndexOp::div:
  case IndexOp::mod:
  case IndexOp::cdiv: return normalize_division(facts, e);
  case IndexOp::min:
  case IndexOp::max: return normalize_extremum(facts, e);
  default: break;
  }
  auto a = normalize(facts, e->a), b = normalize(facts, e->b);
  if (!a || !b)
    return std::nullopt;
  return e->op == IndexOp::mul ? poly_mul(*a, *b) : poly_add(*a, *b, e->op == IndexOp::add ? 1 : -1);
}

// The comparison as polynomials that are all >= 0; nothing for != and for overflow.
std::optional<Polys> as_nonnegative(const Facts &facts, const Pred &p) {
  auto single = [](MaybePoly poly) { return poly ? std::optional(Polys{*poly}) : std::nullopt; };
  switch (p->op) {
  case PredOp::lt: return single(difference(facts, p->rhs, p->lhs, -1));
  case PredOp::le: return single(difference(facts, p->rhs, p->lhs, 0));
  case PredOp::gt: return single(difference(facts, p->lhs, p->rhs, -1));
  case PredOp::ge: return single(difference(facts, p->lhs, p->rhs, 0));
  case PredOp::eq: {
    auto d = difference(facts, p->lhs, p->rhs, 0);
    auto opposite = d ? poly_add(poly_constant(0), *d, -1) : d;
    return opposite ? std::optional(Polys{*d, *opposite}) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

void push_if(Polys &into, MaybePoly p) {
  if (p)
    into.push_back(std::move(*p));
}

// The polynomial of e as it stands: divisions, remainders, min and max are atoms.
MaybePoly as_written(const Index &e) {
  if (e->op == IndexOp::constant)
    return poly_constant(e->value);
  bool is_sum = e->op == IndexOp::add || e->op == IndexOp::sub;
  if (!is_sum && e->op != IndexOp::mul)
    return poly_atom(e);
  auto a = as_written(e->a), b = as_written(e->b);
  if (!a || !b)
    return std::nullopt;
  return is_sum ? poly_add(*a, *b, e->op == IndexOp::add ? 1 : -1) : poly_mul(*a, *b);
}

// Whether one fact alone, or the expression itself, says that e >= least.
bool is_at_least(const Index &e, std::int64_t least, const Polys &known) {
  if (auto value = as_constant(e))
    return *value >= least;
  auto p = as_written(e);
  return p && std::any_of(known.begin(), known.end(), [&](const Poly &fact) {
           auto above = poly_add(*p, fact, -1);
           return above && above->is_constant() && above->constant_term() >= least;
         });
}

// The inequalities that define an atom in terms of its operands. The atom's operands are in normal form
// already.
void defining_facts(const Index &atom, const Polys &known, Polys &into) {
  auto at_least = [&](const Index &a, const Index &b, std::int64_t plus) {
    auto pa = as_written(a), pb = as_written(b);
    auto difference = pa && pb ? poly_add(*pa, *pb, -1) : std::nullopt;
    push_if(into, difference ? poly_add(*difference, poly_constant(plus)) : difference);
  };
  Index d = atom->b;
  bool positive = divides(atom->op) && is_at_least(d, 1, known);
  // Follows from what defines a quotient, but only by rounding in the right order.
  if (positive && atom->op != IndexOp::mod && is_at_least(atom->a, 0, known))
    into.push_back(poly_atom(atom));
  switch (atom->op) {
  case IndexOp::div:
    if (positive) { // d * q <= a <= d * q + d - 1
      at_least(atom->a, mul(d, atom), 0);
      at_least(add(mul(d, atom), d), atom->a, -1);
    }
    break;
  case IndexOp::cdiv:
    if (positive) { // a <= d * q <= a + d - 1
      at_least(mul(d, atom), atom->a, 0);
      at_least(add(atom->a, d), mul(d, atom), -1);
    }
    break;
  case IndexOp::mod:
    if (positive) {
      into.push_back(poly_atom(atom));
      at_least(d, atom, -1);
      Index q = binary(IndexOp::div, atom->a, d); // a - d * (a / d) = a % d
      at_least(atom->a, add(mul(d, q), atom), 0);
      at_least(add(mul(d, q), atom), atom->a, 0);
    }
    break;
  case IndexOp::min:
    at_least(atom->a, atom, 0);
    at_least(atom->b, atom, 0);
    break;
  case IndexOp::max:
    at_least(atom, atom->a, 0);
    at_least(atom, atom->b, 0);
    break;
  default: break;
  }
}

bool shares_atom(const Poly &p, const std::set<std::string> &atoms) {
  return std::any_of(p.terms.begin(), p.terms.end(), [&](const auto &term) {
    return std::any_of(term.first.begin(), term.first.end(),
                       [&](const std::string &key) { return atoms.contains(key); });
  });
}

// The facts that are connected to the goal through shared atoms, with the defining facts of the atoms met on
// the way.
Borrowed relevant(const Polys &known, std::unordered_map<std::string, Polys> &definitions, const Poly &goal) {
  Borrowed chosen, candidates;
  for (const Poly &p : known)
    candidates.push_back(&p);
  std::set<std::string> reached;
  auto reach = [&](const Poly &p) {
    for (const auto &[monomial, coefficient] : p.terms)
      for (const std::string &key : monomial) {
        if (!reached.insert(key).second)
          continue;
        auto [place, is_new] = definitions.try_emplace(key);
        if (is_new)
          defining_facts(p.atoms.at(key), known, place->second);
        for (const Poly &fact : place->second)
          candidates.push_back(&fact);
      }
  };
  reach(goal);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < candidates.size();) {
      const Poly *fact = candidates[i];
      if (!shares_atom(*fact, reached)) {
        ++i;
        continue;
      }
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
      reach(*fact);
      chosen.push_back(fact);
      grew = true;
    }
  }
  return chosen;
}

int degree(const Poly &p) {
  return p.terms.empty() ? 0 : static_cast<int>(p.terms.begin()->first.size());
}

bool refutes(const Borrowed &facts) {
  std::map<Monomial, int, MonomialOrder> unknowns;
  std::vector<Inequality> system;
  for (const Poly *p : facts) {
    Inequality q;
    for (const auto &[monomial, coefficient] : p->terms) {
      if (monomial.empty())
        q.constant = coefficient;
      else
        q.terms.emplace_back(unknowns.try_emplace(monomial, static_cast<int>(unknowns.size())).first->second,
                             coefficient);
    }
    std::sort(q.terms.begin(), q.terms.end());
    system.push_back(std::move(q));
  }
  return contradictory(std::move(system));
}

// Where the goal has products, products of known non-negative facts are facts too: (N - 1 - i) * M >= 0. They
// are kept in `products`.
void add_products(Borrowed &facts, const Poly &goal, std::deque<Poly> &products) {
  constexpr std::size_t most = 120;
  constexpr std::int64_t huge = 1 << 20; // limits of sizes: their products only make the numbers large
  if (degree(goal) < 2)
    return;
  auto add = [&](MaybePoly p) {
    if (p)
      facts.push_back(&products.emplace_back(std::move(*p)));
  };
  std::set<std::string> factors;
  for (const auto &[monomial, coefficient] : goal.terms)
    if (monomial.size() > 1)
      factors.insert(monomial.begin(), monomial.end());
  for (const std::string &factor : factors) // the factors' own signs, as far as the facts tell
    for (std::int64_t least : {1, 0}) {
      Poly atom = poly_atom(goal.atoms.at(factor));
      MaybePoly below = poly_add(poly_constant(least - 1), atom, -1); // atom <= least - 1
      Borrowed with_smaller = facts;
      if (below)
        with_smaller.push_back(&*below);
      if (refutes(with_smaller)) {
        add(poly_add(atom, poly_constant(-least)));
        break;
      }
    }
  auto useful = [&](const Poly &fact) {
    return degree(fact) == 1 && std::abs(fact.constant_term()) < huge && shares_atom(fact, factors);
  };
  std::size_t given = facts.size();
  for (std::size_t i = 0; i < given && facts.size() < given + most; ++i)
    for (std::size_t j = i; j < given && facts.size() < given + most; ++j)
      if (useful(*facts[i]) && useful(*facts[j]))
        add(poly_mul(*facts[i], *facts[j]));
}

std::string text_of(const Poly &p) {
  std::string text;
  for (const auto &[monomial, coefficient] : p.terms) {
    text += std::to_string(coefficient);
    for (const std::string &key : monomial)
      (text += '*') += key;
    text += '\n';
  }
  return text;
}

} // namespace

Facts::Facts() : memory_(std::make_shared<Memory>()) {}

void Facts::assume(const Pred &p) {
  if (p->op == PredOp::conj) {
    assume(p->a);
    assume(p->b);
    return;
  }
  if (p->op == PredOp::neg && p->a->op == PredOp::disj) {
    assume(neg(p->a->a));
    assume(neg(p->a->b));
    return;
  }
  if (p->op == PredOp::truth && p->value)
    return;
  facts_.push_back(p);
  auto polys = as_nonnegative(*this, positive_form(p));
  if (!polys)
    return;
  known_.insert(known_.end(), polys->begin(), polys->end());
  memory_ = std::make_shared<Memory>();
}

bool Facts::proves(const Pred &raw) const {
  Pred p = positive_form(raw);
  switch (p->op) {
  case PredOp::truth: return p->value;
  case PredOp::conj: return proves(p->a) && proves(p->b);
  case PredOp::disj: return proves(p->a) || proves(p->b);
  case PredOp::ne:
    return proves(compare(PredOp::lt, p->lhs, p->rhs)) || proves(compare(PredOp::gt, p->lhs, p->rhs));
  default: break;
  }
  auto left = as_written(p->lhs), right = as_written(p->rhs);
  auto difference = left && right ? poly_add(*left, *right, -1) : std::nullopt;
  if (difference && difference->is_constant()) // decided without facts
    return *evaluate(compare(p->op, constant(difference->constant_term()), constant(0)), {});
  auto goals = as_nonnegative(*this, p);
  return goals && std::all_of(goals->begin(), goals->end(),
                              [&](const Poly &goal) { return proves_nonnegative(goal); });
}

bool Facts::proves_nonnegative(const Poly &goal) const {
  if (goal.is_constant())
    return goal.constant_term() >= 0;
  Memory &memory = *memory_;
  const std::string key = text_of(goal);
  if (auto known = memory.answers.find(key); known != memory.answers.end())
    return known->second;
  if (!memory.open.insert(key).second) {
    memory.met_open = true;
    return false;
  }
  const bool met_before = std::exchange(memory.met_open, false);
  const bool answer = decide_nonnegative(goal);
  memory.open.erase(key);
  // "Not known" because a goal further out is open would be another answer if that goal were not asked for.
  memory.met_open = memory.met_open && !memory.open.empty();
  if (answer || !memory.met_open)
    memory.answers.emplace(key, answer);
  memory.met_open = memory.met_open || met_before;
  return answer;
}

bool Facts::decide_nonnegative(const Poly &goal) const {
  auto negated = poly_add(poly_constant(-1), goal, -1); // goal <= -1
  if (!negated)
    return false;
  Borrowed system = relevant(known_, memory_->definitions, *negated);
  if (system.empty())
    return false;
  std::deque<Poly> products;
  add_products(system, goal, products);
  system.push_back(&*negated);
  return refutes(system) || proves_by_cases(goal) || proves_row_major(goal);
}

// A minimum is one of its operands, and so is a maximum.
bool Facts::proves_by_cases(const Poly &goal) const {
  for (const auto &[monomial, coefficient] : goal.terms)
    for (const std::string &key : monomial) {
      const Index &atom = goal.atoms.at(key);
      if (atom->op != (coefficient > 0 ? IndexOp::min : IndexOp::max))
        continue;
      const Division division = *poly_divide(goal, poly_atom(atom));
      auto with = [&](const Index &operand) {
        auto value = as_written(operand);
        auto product = value ? poly_mul(division.quotient, *value) : value;
        auto whole = product ? poly_add(division.rest, *product) : product;
        return whole && proves_nonnegative(*whole);
      };
      return with(atom->a) && with(atom->b);
    }
  return false;
}

// goal = factor * q + r is not negative if the factor is not and q >= 0, r >= 0, or q >= 1, factor + r >= 0:
// the step from an index of rows to an index of cells.
bool Facts::proves_row_major(const Poly &goal) const {
  std::set<std::string> factors;
  for (const auto &[monomial, coefficient] : goal.terms)
    if (monomial.size() > 1)
      factors.insert(monomial.begin(), monomial.end());
  return std::any_of(factors.begin(), factors.end(), [&](const std::string &key) {
    Poly factor = poly_atom(goal.atoms.at(key));
    auto [q, r] = *poly_divide(goal, factor);
    auto less_one = poly_add(q, poly_constant(-1)), with_factor = poly_add(r, factor);
    return proves_nonnegative(factor) &&
           ((proves_nonnegative(q) && proves_nonnegative(r)) ||
            (less_one && with_factor && proves_nonnegative(*less_one) && proves_nonnegative(*with_factor)));
  });
}

MaybePoly Facts::normal_form(const Index &e) const {
  return normalize(*this, e);
}

Index Facts::simplify(const Index &e) const {
  auto poly = normalize(*this, e);
  return poly ? to_index(*poly) : e;
}

Pred Facts::simplify(const Pred &p) const {
  if (proves(p))
    return truth(true);
  if (proves(neg(p)))
    return truth(false);
  switch (p->op) {
  case PredOp::truth: return p;
  case PredOp::neg: return neg(simplify(p->a));
  case PredOp::conj: {
    Pred first = simplify(p->a);
    Facts with_first = *this;
    with_first.assume(first);
    return conj(first, with_first.simplify(p->b));
  }
  case PredOp::disj: return disj(simplify(p->a), simplify(p->b));
  default: return compare(p->op, simplify(p->lhs), simplify(p->rhs));
  }
}

} // namespace atl
