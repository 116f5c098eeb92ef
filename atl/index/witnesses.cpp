#include "atl/index/witnesses.h"

#include <algorithm>
#include <optional>

namespace atl {

namespace {

constexpr std::int64_t longest_loop = 1 << 20; // what may be larger is a size
constexpr std::int64_t large = 3840;           // many factors divide it
constexpr std::int64_t huge = std::int64_t{1} << 31;

std::optional<std::int64_t> value_at(const Poly &p, const Valuation &values) {
  std::int64_t sum = 0;
  for (const auto &[monomial, coefficient] : p.terms) {
    std::int64_t product = coefficient;
    for (const Atom &atom : monomial) {
      const std::optional<std::int64_t> factor = evaluate(atom.index(), values);
      if (!factor || __builtin_mul_overflow(product, *factor, &product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

// 1 or -1 if the variable is a term of the polynomial with this coefficient, else 0.
std::int64_t sign_of(const std::string &variable, const Poly &p) {
  for (const auto &[monomial, coefficient] : p.terms)
    if (monomial.size() == 1 && monomial[0].text() == variable)
      return coefficient == 1 || coefficient == -1 ? coefficient : 0;
  return 0;
}

bool holds(const Poly &fact, const Valuation &values) {
  return value_at(fact, values).value_or(-1) >= 0;
}

std::set<std::string> variables_of(const Poly &p) {
  std::set<std::string> variables;
  for (const auto &[monomial, coefficient] : p.terms)
    for (const Atom &atom : monomial)
      collect_variables(atom.index(), variables);
  return variables;
}

} // namespace

Witnesses::Witnesses() {
  for (Choice choice : {Choice::zero, Choice::one, Choice::large_sizes,
                        Choice::large_sizes_and_last_iterations, Choice::huge_sizes})
    all_.push_back({choice, {}});
}

std::int64_t Witnesses::preferred(Choice choice, std::int64_t most) {
  const bool is_size = most > longest_loop;
  switch (choice) {
  case Choice::zero: break;
  case Choice::one: return 1;
  case Choice::large_sizes: return is_size ? large : 0;
  case Choice::large_sizes_and_last_iterations: return is_size ? large : most;
  case Choice::huge_sizes: return is_size ? huge : 0;
  }
  return 0;
}

// Within the bounds that the facts state, as far as the variables in them have values.
void Witnesses::assign(Witness &witness, const std::string &variable, const Polys &facts) {
  std::int64_t least = INT64_MIN, most = INT64_MAX;
  witness.values[variable] = 0;
  for (const Poly &fact : facts) {
    const std::int64_t sign = sign_of(variable, fact);
    const std::optional<std::int64_t> rest = sign == 0 ? std::nullopt : value_at(fact, witness.values);
    if (rest && sign > 0 && *rest != INT64_MIN)
      least = std::max(least, -*rest);
    if (rest && sign < 0)
      most = std::min(most, *rest);
  }
  witness.values[variable] = std::max(least, std::min(most, preferred(witness.choice, most)));
}

// Values were chosen before all bounds were known.
bool Witnesses::mend(Witness &witness, const Poly &fact, const Polys &facts) {
  for (const std::string &variable : variables_of(fact))
    assign(witness, variable, facts);
  return std::all_of(facts.begin(), facts.end(), [&](const Poly &f) { return holds(f, witness.values); });
}

void Witnesses::learn(const Polys &facts, std::size_t known) {
  for (std::size_t i = known; i < facts.size() && !all_.empty(); ++i)
    for (const std::string &variable : variables_of(facts[i]))
      for (Witness &witness : all_)
        if (!witness.values.contains(variable))
          assign(witness, variable, facts);
  std::erase_if(all_, [&](Witness &witness) {
    for (std::size_t i = known; i < facts.size(); ++i)
      if (!holds(facts[i], witness.values) && !mend(witness, facts[i], facts))
        return true;
    return false;
  });
}

// Variables of which no fact says anything may have any value.
Valuation Witnesses::with_free_variables(const Witness &witness, const std::set<std::string> &variables) {
  Valuation values = witness.values;
  for (const std::string &variable : variables)
    values.try_emplace(variable, preferred(witness.choice, INT64_MAX));
  return values;
}

bool Witnesses::refute(const Poly &goal) const {
  const std::set<std::string> variables = variables_of(goal);
  return std::any_of(all_.begin(), all_.end(), [&](const Witness &witness) {
    const bool is_whole = std::all_of(variables.begin(), variables.end(),
                                      [&](const std::string &name) { return witness.values.contains(name); });
    const std::optional<std::int64_t> value =
        is_whole ? value_at(goal, witness.values) : value_at(goal, with_free_variables(witness, variables));
    return value.value_or(0) < 0;
  });
}

} // namespace atl
