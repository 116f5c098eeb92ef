#include "atl/index/witnesses.h"

#include <algorithm>
#include <optional>

namespace atl {

namespace {

constexpr std::int64_t longest_loop = 1 << 20; // what may be larger is a size
constexpr std::int64_t large = 3840;           // many factors divide it
constexpr std::int64_t huge = std::int64_t{1} << 24;

std::optional<std::int64_t> value_at(const Poly &p, const Valuation &values) {
  std::int64_t sum = 0;
  for (const auto &[monomial, coefficient] : p.terms) {
    std::int64_t product = coefficient;
    for (const std::string &key : monomial) {
      const std::optional<std::int64_t> factor = evaluate(p.atoms.at(key), values);
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
  auto term = p.terms.find({variable});
  return term != p.terms.end() && (term->second == 1 || term->second == -1) ? term->second : 0;
}

bool holds(const Poly &fact, const Valuation &values) {
  return value_at(fact, values).value_or(-1) >= 0;
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

// Within the bounds that these facts state, as far as the variables in them have values.
void Witnesses::assign(Witness &witness, const std::string &variable, Polys::const_iterator begin,
                       Polys::const_iterator end) {
  std::int64_t least = INT64_MIN, most = INT64_MAX;
  witness.values[variable] = 0;
  for (auto fact = begin; fact != end; ++fact) {
    const std::int64_t sign = sign_of(variable, *fact);
    const std::optional<std::int64_t> rest = sign == 0 ? std::nullopt : value_at(*fact, witness.values);
    if (rest && sign > 0 && *rest != INT64_MIN)
      least = std::max(least, -*rest);
    if (rest && sign < 0)
      most = std::min(most, *rest);
  }
  witness.values[variable] = std::max(least, std::min(most, preferred(witness.choice, most)));
}

void Witnesses::learn(Polys::const_iterator begin, Polys::const_iterator end) {
  for (auto fact = begin; fact != end && !all_.empty(); ++fact)
    for (const auto &[key, atom] : fact->atoms) {
      std::set<std::string> variables;
      collect_variables(atom, variables);
      for (const std::string &variable : variables)
        for (Witness &witness : all_)
          if (!witness.values.contains(variable))
            assign(witness, variable, begin, end);
    }
  std::erase_if(all_, [&](const Witness &witness) {
    return !std::all_of(begin, end, [&](const Poly &fact) { return holds(fact, witness.values); });
  });
}

bool Witnesses::refute(const Poly &goal) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Witness &witness) { return value_at(goal, witness.values).value_or(0) < 0; });
}

} // namespace atl
