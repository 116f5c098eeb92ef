#include "atl/equality/reindex.h"

#include <algorithm>

namespace atl::equality {

namespace {

// An equation 0 = the sum of coefficient * unknown, and the rest.
struct Linear {
  std::map<std::string, Poly> coefficients;
  Poly rest;
};

class Solver {
public:
  Solver(const std::vector<FoldVar> &unknowns, std::vector<Equation> equations, const Facts &facts)
      : equations_(std::move(equations)), facts_(facts) {
    for (const FoldVar &v : unknowns)
      open_.emplace(v.name, v);
  }

  std::optional<Subst> run() {
    find();
    if (!open_.empty())
      return std::nullopt;
    return found_;
  }

  // What was found, but for what depends on unknowns that were not.
  Subst run_as_far_as_possible() {
    find();
    std::erase_if(found_, [&](const auto &solved) { return mentions_open(solved.second); });
    return found_;
  }

private:
  void find() {
    for (bool progress = true; progress && !open_.empty();) {
      progress = false;
      for (std::size_t i = 0; i < equations_.size() && !progress; ++i)
        progress = use(equations_[i]);
      if (!progress)
        progress = use_single_values();
    }
  }

  bool is_open(const std::string &name) const { return open_.contains(name); }

  bool mentions_open(const Index &e) const {
    std::set<std::string> names;
    collect_variables(e, names);
    return std::any_of(names.begin(), names.end(), [&](const std::string &n) { return is_open(n); });
  }

  bool mentions_open(const Poly &p) const {
    return std::any_of(p.terms.begin(), p.terms.end(), [&](const auto &term) {
      return std::any_of(term.first.begin(), term.first.end(),
                         [&](const Atom &atom) { return mentions_open(atom.index()); });
    });
  }

  void set(const std::string &name, const Index &value) {
    Subst by{{name, facts_.simplify(value)}};
    for (auto &[other, solved] : found_)
      solved = substitute(solved, by);
    for (Equation &e : equations_)
      e = {substitute(e.a, by), substitute(e.b, by)};
    found_.insert(*by.begin());
    open_.erase(name);
  }

  bool use(const Equation &equation) {
    if (!mentions_open(equation.a) && !mentions_open(equation.b))
      return false;
    auto p = facts_.normal_form(sub(equation.a, equation.b));
    if (!p)
      return false;
    if (std::optional<Linear> linear = as_linear(*p))
      return use_single(*linear) || use_digits(*linear);
    return use_quotient(*p);
  }

  // Nothing if an unknown is inside a division, or in a product with another.
  std::optional<Linear> as_linear(const Poly &p) const {
    Linear result{{}, poly_constant(0)};
    for (const auto &[monomial, coefficient] : p.terms) {
      Poly term = poly_constant(coefficient);
      std::string unknown;
      for (const Atom &atom : monomial) {
        const Index &e = atom.index();
        if (e->op == IndexOp::variable && is_open(e->name) && unknown.empty()) {
          unknown = e->name;
          continue;
        }
        if (mentions_open(e))
          return std::nullopt;
        auto product = poly_mul(term, poly_atom(e));
        if (!product)
          return std::nullopt;
        term = *product;
      }
      Poly &into = unknown.empty() ? result.rest
                                   : result.coefficients.try_emplace(unknown, poly_constant(0)).first->second;
      auto total = poly_add(into, term);
      if (!total)
        return std::nullopt;
      into = *total;
    }
    return result;
  }

  static std::optional<std::int64_t> constant_of(const Poly &p) {
    return p.is_constant() ? std::optional(p.constant_term()) : std::nullopt;
  }

  // u + rest == 0 or -u + rest == 0
  bool use_single(const Linear &e) {
    if (e.coefficients.size() != 1)
      return false;
    const auto &[name, coefficient] = *e.coefficients.begin();
    auto c = constant_of(coefficient);
    if (c != 1 && c != -1)
      return false;
    Index rest = to_index(e.rest);
    set(name, *c == 1 ? sub(constant(0), rest) : rest);
    return true;
  }

  // c1 * u1 + ... + u == t, where u ranges over [lo, lo + m) and m divides every other coefficient:
  // u is lo + (t - lo) % m, and the others satisfy the equation divided by m.
  bool use_digits(const Linear &e) {
    for (const auto &[name, coefficient] : e.coefficients) {
      auto sign = constant_of(coefficient);
      if (sign != 1 && sign != -1)
        continue;
      const FoldVar &u = open_.at(name);
      auto radix = facts_.normal_form(sub(u.hi, u.lo));
      if (!radix || mentions_open(u.lo) || mentions_open(u.hi))
        continue;
      Index higher = constant(0);
      bool all_divide = true;
      for (const auto &[other, c] : e.coefficients) {
        if (other == name)
          continue;
        auto division = poly_divide(c, *radix);
        all_divide = all_divide && division && division->rest.terms.empty();
        if (all_divide)
          higher = add(higher, mul(signed_by(*sign, to_index(division->quotient)), variable(other)));
      }
      if (!all_divide)
        continue;
      Index t = sub(signed_by(-*sign, to_index(e.rest)), u.lo), m = to_index(*radix);
      equations_.push_back({higher, floor_div(t, m)});
      set(name, add(u.lo, modulo(t, m)));
      return true;
    }
    return false;
  }

  static Index signed_by(std::int64_t sign, const Index &e) { return sign == 1 ? e : sub(constant(0), e); }

  // u / m == t is kept until u % m == s is met: then u == t * m + s.
  bool use_quotient(const Poly &p) {
    for (const auto &[monomial, coefficient] : p.terms) {
      if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1))
        continue;
      const Index &atom = monomial[0].index();
      bool division = atom->op == IndexOp::div || atom->op == IndexOp::mod;
      if (!division || atom->a->op != IndexOp::variable || !is_open(atom->a->name) || mentions_open(atom->b))
        continue;
      const Poly without = *poly_add(p, poly_atom(monomial[0]), -coefficient);
      if (mentions_open(without))
        continue;
      Parts &parts = parts_[{atom->a->name, to_string(atom->b)}];
      (atom->op == IndexOp::div ? parts.quotient : parts.remainder) =
          signed_by(-coefficient, to_index(without));
      if (!parts.quotient || !parts.remainder)
        continue;
      set(atom->a->name, add(mul(parts.quotient, atom->b), parts.remainder));
      return true;
    }
    return false;
  }

  // A variable that has only one value needs no equation.
  bool use_single_values() {
    for (const auto &[name, v] : open_) {
      auto count = facts_.normal_form(sub(v.hi, v.lo));
      if (!count || constant_of(*count) != 1 || mentions_open(v.lo))
        continue;
      Index value = v.lo;
      set(name, value);
      return true;
    }
    return false;
  }

  struct Parts {
    Index quotient, remainder;
  };
  std::map<std::string, FoldVar> open_;
  std::vector<Equation> equations_;
  const Facts &facts_;
  Subst found_;
  std::map<std::pair<std::string, std::string>, Parts> parts_; // of an unknown by a divisor
};

} // namespace

Subst determined(const std::vector<FoldVar> &unknowns, std::vector<Equation> equations, const Facts &facts) {
  return Solver(unknowns, std::move(equations), facts).run_as_far_as_possible();
}

std::optional<Subst> solve(const std::vector<FoldVar> &unknowns, std::vector<Equation> equations,
                           const Facts &facts) {
  return Solver(unknowns, std::move(equations), facts).run();
}

} // namespace atl::equality
