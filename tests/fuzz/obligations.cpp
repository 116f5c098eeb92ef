#include "fuzz/obligations.h"

#include "fuzz/inputs.h"

#include <algorithm>
#include <set>

namespace atl::fuzz {

bool is_counterexample(const Obligation &o, const Valuation &values) {
  bool assumed = std::all_of(o.hypotheses.begin(), o.hypotheses.end(),
                             [&](const Pred &p) { return evaluate(p, values).value_or(false); });
  if (!assumed)
    return false;
  // A claim without a value (a divisor of 0, an overflow) does not hold.
  return std::any_of(o.claims.begin(), o.claims.end(),
                     [&](const Claim &c) { return !evaluate(c.holds, values).value_or(false); });
}

namespace {

struct Range {
  std::int64_t lo = -16, hi = 16;
};

// Narrows the range of a variable by the comparisons of p that bound it.
void narrow(const Pred &p, const std::string &name, const Valuation &known, Range &range) {
  if (p->op == PredOp::conj) {
    narrow(p->a, name, known, range);
    narrow(p->b, name, known, range);
  }
  if (p->op != PredOp::lt && p->op != PredOp::le)
    return;
  auto is_it = [&](const Index &e) { return e->op == IndexOp::variable && e->name == name; };
  std::int64_t slack = p->op == PredOp::lt ? 1 : 0;
  if (is_it(p->rhs))
    if (auto lo = evaluate(p->lhs, known))
      range.lo = std::max(range.lo, *lo + slack);
  if (is_it(p->lhs))
    if (auto hi = evaluate(p->rhs, known))
      range.hi = std::min(range.hi, *hi - slack);
}

class Search {
public:
  explicit Search(const Obligation &o, Random &random) : obligation_(o), random_(random) {}

  std::optional<Valuation> run(const Valuation &sizes) { return assign(0, sizes); }

private:
  std::optional<Valuation> assign(std::size_t next, const Valuation &values) {
    if (next == obligation_.variables.size()) {
      --budget_;
      return is_counterexample(obligation_, values) ? std::optional(values) : std::nullopt;
    }
    const std::string &name = obligation_.variables[next];
    Range range;
    for (const Pred &p : obligation_.hypotheses)
      narrow(p, name, values, range);
    if (range.lo > range.hi)
      return std::nullopt;
    std::set<std::int64_t> candidates{range.lo, range.hi};
    for (std::int64_t v = range.lo; v <= range.hi; ++v)
      if (range.hi - range.lo < 4 || random_.chance(30))
        candidates.insert(v);
    for (std::int64_t value : candidates) {
      if (budget_ <= 0)
        return std::nullopt;
      Valuation more = values;
      more[name] = value;
      if (auto found = assign(next + 1, more))
        return found;
    }
    return std::nullopt;
  }

  const Obligation &obligation_;
  Random &random_;
  int budget_ = 1000;
};

} // namespace

std::optional<std::string> counterexample(const std::vector<Obligation> &obligations, const Valuation &sizes,
                                          Random &random) {
  for (const Obligation &o : obligations)
    if (auto found = Search(o, random).run(sizes))
      return o.what + " with " + describe(*found);
  return std::nullopt;
}

} // namespace atl::fuzz
