#include "proofs/z3/small_values.h"

#include "proofs/z3/ranges.h"

#include <algorithm>
#include <map>

namespace atl::proofs {

namespace {

constexpr std::int64_t most_values = 4;
constexpr std::size_t most_cases = 8;
constexpr int most_extrema = 3;

// An expression that single hypotheses compare with numbers, and what they say of it.
struct Compared {
  Index e;
  std::vector<Pred> about_it; // of the variable `compared`
  Range range() const { return Ranges(about_it, {name}).of(0, {}); }

  static inline const std::string name = "compared";
};

std::vector<Compared> compared_with_numbers(const std::vector<Pred> &hypotheses) {
  std::vector<Compared> all;
  std::map<std::string, std::size_t> places; // by text
  auto note = [&](const Index &e, const Pred &says) {
    auto [place, is_new] = places.try_emplace(to_string(e), all.size());
    if (is_new)
      all.push_back({e, {}});
    all[place->second].about_it.push_back(says);
  };
  const Index it = variable(Compared::name);
  for (const Pred &hypothesis : hypotheses)
    for (const Pred &p : conjuncts(hypothesis)) {
      if (p->lhs && as_constant(p->rhs))
        note(p->lhs, compare(p->op, it, p->rhs));
      if (p->lhs && as_constant(p->lhs))
        note(p->rhs, compare(p->op, p->lhs, it));
    }
  return all;
}

std::int64_t few_values(const Range &range) { // values; 0: none, or too many
  std::int64_t spread = -1;
  if (!range.lo || !range.hi || __builtin_sub_overflow(*range.hi, *range.lo, &spread))
    return 0;
  return spread < 0 || spread >= most_values ? 0 : spread + 1;
}

struct SmallFactor {
  Index factor;
  std::int64_t least, count; // of its values
};

// Factors of products whose other factor is no number, as far as they have few values; in the order in which
// they occur.
std::vector<SmallFactor> small_factors_of(const Case &c) {
  std::vector<SmallFactor> small, found;
  for (const Compared &compared : compared_with_numbers(c.hypotheses)) {
    const Range range = compared.range();
    if (const std::int64_t count = few_values(range); count > 0)
      small.push_back({compared.e, *range.lo, count});
  }
  auto add_new = [&](const Index &factor) {
    auto is_it = [&](const SmallFactor &f) { return equal(f.factor, factor); };
    auto known = std::find_if(small.begin(), small.end(), is_it);
    if (known != small.end() && std::none_of(found.begin(), found.end(), is_it))
      found.push_back(*known);
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
  return found;
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
  for (const auto &[factor, least, count] : small_factors_of(whole)) {
    if (cases.size() * static_cast<std::size_t>(count) > most_cases)
      continue;
    std::vector<Case> more;
    for (const Case &c : cases)
      for (std::int64_t i = 0; i < count; ++i)
        more.push_back(with_value(c, factor, constant(least + i)));
    cases = std::move(more);
  }
  return cases;
}

} // namespace atl::proofs
