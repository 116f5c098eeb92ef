#include "atl/index/inequalities.h"

#include "atl/index/fourier_motzkin.h"

#include <algorithm>

namespace atl {

namespace {

void push_if(Polys &into, MaybePoly p) {
  if (p)
    into.push_back(std::move(*p));
}

// a - b, if that is a number: it mostly is none, which is seen from the first terms.
std::optional<std::int64_t> constant_difference(const Poly &a, const Poly &b) {
  const auto end_of_variable_terms = [](const Poly &p) { // the constant is the last one
    return p.terms.end() - (!p.terms.empty() && p.terms.back().first.empty() ? 1 : 0);
  };
  if (!std::equal(a.terms.begin(), end_of_variable_terms(a), b.terms.begin(), end_of_variable_terms(b)))
    return std::nullopt;
  std::int64_t difference = 0;
  const bool fits = !__builtin_sub_overflow(a.constant_term(), b.constant_term(), &difference);
  return fits ? std::optional(difference) : std::nullopt;
}

bool is_at_least(const Index &e, std::int64_t least, const Polys &known);

// As its operands are large enough.
bool is_made_at_least(const Index &e, std::int64_t least, const Polys &known) {
  auto both = [&](std::int64_t each) {
    return is_at_least(e->a, each, known) && is_at_least(e->b, each, known);
  };
  switch (e->op) {
  case IndexOp::min: return both(least);
  case IndexOp::max: return is_at_least(e->a, least, known) || is_at_least(e->b, least, known);
  case IndexOp::add:
  case IndexOp::mul: return least <= 0 && both(0);
  case IndexOp::div:
  case IndexOp::cdiv: return least <= 0 && is_at_least(e->a, 0, known) && is_at_least(e->b, 1, known);
  default: return false;
  }
}

// Whether one fact alone, or the expression itself, says that e >= least.
bool is_at_least(const Index &e, std::int64_t least, const Polys &known) {
  if (auto value = as_constant(e))
    return *value >= least;
  auto p = as_written(e);
  const bool is_known = p && std::any_of(known.begin(), known.end(), [&](const Poly &fact) {
                          return constant_difference(*p, fact).value_or(least - 1) >= least;
                        });
  return is_known || is_made_at_least(e, least, known);
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

bool shares_atom(const Poly &p, const std::set<Atom> &atoms) {
  return std::any_of(p.terms.begin(), p.terms.end(), [&](const auto &term) {
    return std::any_of(term.first.begin(), term.first.end(),
                       [&](const Atom &atom) { return atoms.contains(atom); });
  });
}

int degree(const Poly &p) {
  return p.terms.empty() ? 0 : static_cast<int>(p.terms.begin()->first.size());
}

} // namespace

Borrowed relevant(const Polys &known, AtomDefinitions &definitions, const Poly &goal) {
  Borrowed chosen, candidates;
  for (const Poly &p : known)
    candidates.push_back(&p);
  std::set<Atom> reached;
  auto reach = [&](const Poly &p) {
    for (const auto &[monomial, coefficient] : p.terms)
      for (const Atom &atom : monomial) {
        if (!reached.insert(atom).second)
          continue;
        auto [place, is_new] = definitions.try_emplace(atom.text());
        if (is_new)
          defining_facts(atom.index(), known, place->second);
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

void add_products(Borrowed &facts, const Poly &goal, std::deque<Poly> &products) {
  constexpr std::size_t most = 120;
  constexpr std::int64_t huge = 1 << 20; // limits of sizes: their products only make the numbers large
  if (degree(goal) < 2)
    return;
  auto add = [&](MaybePoly p) {
    if (p)
      facts.push_back(&products.emplace_back(std::move(*p)));
  };
  std::set<Atom> factors;
  for (const auto &[monomial, coefficient] : goal.terms)
    if (monomial.size() > 1)
      factors.insert(monomial.begin(), monomial.end());
  for (const Atom &factor : factors) // the factors' own signs, as far as the facts tell
    for (std::int64_t least : {1, 0}) {
      Poly atom = poly_atom(factor);
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
    return degree(fact) == 1 && -huge < fact.constant_term() && fact.constant_term() < huge &&
           shares_atom(fact, factors);
  };
  std::size_t given = facts.size();
  for (std::size_t i = 0; i < given && facts.size() < given + most; ++i)
    for (std::size_t j = i; j < given && facts.size() < given + most; ++j)
      if (useful(*facts[i]) && useful(*facts[j]))
        add(poly_mul(*facts[i], *facts[j]));
}

} // namespace atl
