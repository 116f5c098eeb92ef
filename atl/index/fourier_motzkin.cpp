#include "atl/index/fourier_motzkin.h"

#include "atl/base/deadline.h"
#include "atl/index/index.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace atl {

namespace {

constexpr std::size_t most_inequalities = 300;

// Divides by the greatest common divisor of the coefficients and rounds the constant down: the same integer
// solutions.
void tighten(Inequality &q) {
  std::int64_t divisor = 0;
  for (const auto &[unknown, coefficient] : q.terms)
    divisor = std::gcd(divisor, coefficient);
  if (divisor <= 1)
    return;
  for (auto &[unknown, coefficient] : q.terms)
    coefficient /= divisor;
  q.constant = floor_div(q.constant, divisor);
}

std::int64_t coefficient_of(const Inequality &q, int unknown) {
  for (const auto &[u, coefficient] : q.terms)
    if (u == unknown)
      return coefficient;
  return 0;
}

// The smallest integer cannot be negated: an inequality with it is left out, of which fewer contradictions
// are found.
bool has_negations(const Inequality &q) {
  return std::none_of(q.terms.begin(), q.terms.end(), [](const auto &term) {
    return term.second == std::numeric_limits<std::int64_t>::min();
  });
}

// sum += x * by; whether it fits.
bool add_scaled(std::int64_t &sum, std::int64_t x, std::int64_t by) {
  std::int64_t scaled = 0;
  return !__builtin_mul_overflow(x, by, &scaled) && !__builtin_add_overflow(sum, scaled, &sum);
}

// a * p + b * q, nothing on overflow. The terms of all of them are sorted by their unknowns.
std::optional<Inequality> combine(const Inequality &p, std::int64_t a, const Inequality &q, std::int64_t b) {
  take_step();
  Inequality result;
  result.terms.reserve(p.terms.size() + q.terms.size());
  for (auto at_p = p.terms.begin(), at_q = q.terms.begin(); at_p != p.terms.end() || at_q != q.terms.end();) {
    const bool from_p = at_p != p.terms.end() && (at_q == q.terms.end() || at_p->first <= at_q->first);
    const bool from_q = at_q != q.terms.end() && (at_p == p.terms.end() || at_q->first <= at_p->first);
    const int unknown = from_p ? at_p->first : at_q->first;
    std::int64_t sum = 0;
    if (from_p && !add_scaled(sum, at_p++->second, a))
      return std::nullopt;
    if (from_q && !add_scaled(sum, at_q++->second, b))
      return std::nullopt;
    if (sum != 0)
      result.terms.emplace_back(unknown, sum);
  }
  if (!add_scaled(result.constant, p.constant, a) || !add_scaled(result.constant, q.constant, b))
    return std::nullopt;
  if (!has_negations(result))
    return std::nullopt;
  tighten(result);
  return result;
}

bool is_false(const Inequality &q) {
  return q.terms.empty() && q.constant < 0;
}

struct Occurrences {
  std::size_t positive = 0, negative = 0;
};

// The unknown whose elimination adds the fewest inequalities.
std::optional<int> cheapest_unknown(const std::vector<Inequality> &system) {
  std::map<int, Occurrences> counts;
  for (const Inequality &q : system)
    for (const auto &[unknown, coefficient] : q.terms)
      ++(coefficient > 0 ? counts[unknown].positive : counts[unknown].negative);
  std::optional<int> best;
  std::size_t best_cost = 0;
  for (const auto &[unknown, n] : counts)
    if (std::size_t cost = n.positive * n.negative; !best || cost < best_cost) {
      best = unknown;
      best_cost = cost;
    }
  return best;
}

} // namespace

bool contradictory(std::vector<Inequality> system) {
  std::erase_if(system, [](const Inequality &q) { return !has_negations(q); });
  for (Inequality &q : system) {
    tighten(q);
    if (is_false(q))
      return true;
  }
  while (auto unknown = cheapest_unknown(system)) {
    std::vector<Inequality> kept, lower, upper;
    for (Inequality &q : system) {
      std::int64_t c = coefficient_of(q, *unknown);
      (c == 0 ? kept : c > 0 ? lower : upper).push_back(std::move(q));
    }
    std::set<std::pair<std::vector<std::pair<int, std::int64_t>>, std::int64_t>> seen;
    for (const Inequality &p : lower)
      for (const Inequality &q : upper) {
        std::int64_t a = coefficient_of(p, *unknown), b = -coefficient_of(q, *unknown);
        std::int64_t g = std::gcd(a, b);
        auto next = combine(p, b / g, q, a / g);
        if (!next)
          continue; // dropping an inequality is sound: fewer contradictions are found
        if (is_false(*next))
          return true;
        if (!next->terms.empty() && seen.emplace(next->terms, next->constant).second)
          kept.push_back(std::move(*next));
        if (kept.size() > most_inequalities)
          return false;
      }
    system = std::move(kept);
  }
  return false;
}

} // namespace atl
