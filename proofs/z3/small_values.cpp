#include "proofs/z3/small_values.h"

#include "proofs/z3/ranges.h"

#include <algorithm>

namespace atl::proofs {

namespace {

constexpr std::int64_t most_values = 4;
constexpr std::size_t most_cases = 8;
constexpr int most_extrema = 3;

// Of products whose other factor is no number.
std::vector<Index> factors_of(const Case &c) {
  std::vector<Index> factors;
  auto add_new = [&](const Index &factor) {
    if (std::none_of(factors.begin(), factors.end(), [&](const Index &f) { return equal(f, factor); }))
      factors.push_back(factor);
  };
  auto visit = [&](const Index &e) {
    if (e->op != IndexOp::mul || as_constant(e->a) || as_constant(e->b))
      return;
    add_new(e->a);
    add_new(e->b);
  };
  for (const Pred &hypothesis : c.hypotheses)
    for_each_subexpression(hypothesis, visit);
  for_each_subexpression(c.claim, visit);
  return factors;
}

// As far as single hypotheses compare the factor with numbers.
Range range_of(const Index &factor, const std::vector<Pred> &hypotheses) {
  const std::string name = "factor";
  std::vector<Pred> about_it;
  for (const Pred &hypothesis : hypotheses)
    for (const Pred &p : conjuncts(hypothesis)) {
      if (p->lhs && equal(p->lhs, factor) && as_constant(p->rhs))
        about_it.push_back(compare(p->op, variable(name), p->rhs));
      if (p->lhs && equal(p->rhs, factor) && as_constant(p->lhs))
        about_it.push_back(compare(p->op, p->lhs, variable(name)));
    }
  return Ranges(about_it, {name}).of(0, {});
}

std::int64_t few_values(const Range &range) { // values; 0: none, or too many
  std::int64_t spread = -1;
  if (!range.lo || !range.hi || __builtin_sub_overflow(*range.hi, *range.lo, &spread))
    return 0;
  return spread < 0 || spread >= most_values ? 0 : spread + 1;
}

Case with_value(const Case &c, const Index &factor, const Index &value) {
  Case with{{}, replaced(c.claim, factor, value)};
  for (const Pred &hypothesis : c.hypotheses)
    with.hypotheses.push_back(replaced(hypothesis, factor, value));
  with.hypotheses.push_back(compare(PredOp::eq, factor, value));
  return with;
}

std::optional<Index> first_extremum(const Case &c) {
  std::optional<Index> first;
  auto visit = [&](const Index &e) {
    if (!first && is_extremum(e->op))
      first = e;
  };
  for_each_subexpression(c.claim, visit);
  for (const Pred &hypothesis : c.hypotheses)
    for_each_subexpression(hypothesis, visit);
  return first;
}

void split_by_sides(const Case &c, int most, std::vector<Case> &into) {
  const std::optional<Index> extremum = most > 0 ? first_extremum(c) : std::nullopt;
  if (!extremum) {
    into.push_back(c);
    return;
  }
  const Index &e = *extremum;
  for (const auto &[side, other] : {std::pair(e->a, e->b), std::pair(e->b, e->a)}) {
    Case with{{}, replaced(c.claim, e, side)};
    for (const Pred &hypothesis : c.hypotheses)
      with.hypotheses.push_back(replaced(hypothesis, e, side));
    with.hypotheses.push_back(compare(e->op == IndexOp::min ? PredOp::le : PredOp::ge, side, other));
    split_by_sides(with, most - 1, into);
  }
}

} // namespace

std::vector<Case> for_each_side(const std::vector<Pred> &hypotheses, const Pred &claim) {
  std::vector<Case> cases;
  split_by_sides({hypotheses, claim}, most_extrema, cases);
  return cases;
}

std::vector<Case> for_each_small_value(const std::vector<Pred> &hypotheses, const Pred &claim) {
  const Case whole{hypotheses, claim};
  std::vector<Case> cases{whole};
  for (const Index &factor : factors_of(whole)) {
    const Range range = range_of(factor, hypotheses);
    const std::int64_t count = few_values(range);
    if (count == 0 || cases.size() * static_cast<std::size_t>(count) > most_cases)
      continue;
    std::vector<Case> more;
    for (const Case &c : cases)
      for (std::int64_t i = 0; i < count; ++i)
        more.push_back(with_value(c, factor, constant(*range.lo + i)));
    cases = std::move(more);
  }
  return cases;
}

} // namespace atl::proofs
