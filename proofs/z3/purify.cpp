#include "proofs/z3/purify.h"

#include "atl/base/check.h"
#include "atl/index/ops.h"

#include <algorithm>

namespace atl::proofs {

// The same text for expressions that are equal as polynomials.
static std::string normal_form(const Index &e) {
  MaybePoly p = as_written(e);
  return to_string(p ? to_index(*p) : e);
}

static std::string quotient_text(const Index &numerator, const Index &divisor) {
  return normal_form(numerator) + " / " + normal_form(divisor);
}

Index Purifier::fresh(char prefix, IndexOp op, const Index &a, const Index &b) {
  std::string name = std::string(1, prefix) + "!" + std::to_string(stand_ins_.size() + 1);
  stand_ins_.push_back({name, op, a, b});
  return variable(name);
}

const Quotient &Purifier::divide(const Index &numerator, const Index &divisor) {
  auto [known, is_new] = known_quotients_.try_emplace(quotient_text(numerator, divisor), quotients_.size());
  if (!is_new)
    return quotients_[known->second];
  Index q = fresh('q', IndexOp::div, numerator, divisor);
  Index r = fresh('r', IndexOp::mod, numerator, divisor);
  Pred undefined = neg(compare(PredOp::gt, divisor, constant(0)));
  if (auto value = as_constant(divisor))
    undefined = truth(*value <= 0);
  definitions_.push_back(disj(undefined, compare(PredOp::eq, numerator, add(mul(q, divisor), r))));
  definitions_.push_back(disj(undefined, compare(PredOp::le, constant(0), r)));
  definitions_.push_back(disj(undefined, compare(PredOp::lt, r, divisor)));
  const Quotient added{numerator, divisor, q, r};
  for (const Quotient &other : quotients_)
    if (equal(other.numerator, numerator)) {
      compare_quotients(added, other);
      compare_quotients(other, added);
    }
  if (by_ == Decider::z3)
    compare_with_shifted(added);
  return quotients_.emplace_back(added);
}

// e / d is e / (k * d) * k and less than k more, which follows from the definitions, but not at once.
void Purifier::compare_quotients(const Quotient &finer, const Quotient &coarser) {
  const auto d = as_constant(finer.divisor), most = as_constant(coarser.divisor);
  if (!d || !most || *d <= 0 || *most <= *d || *most % *d != 0)
    return;
  const Index k = constant(*most / *d), least = mul(coarser.quotient, k);
  definitions_.push_back(compare(PredOp::le, least, finer.quotient));
  definitions_.push_back(compare(PredOp::lt, finer.quotient, add(least, k)));
}

// (e + c) / d is e / d + c / d or one more, and not more if d divides c: the cases of e by d are not told
// apart again for each c.
void Purifier::compare_with_shifted(const Quotient &added) {
  const auto d = as_constant(added.divisor);
  const MaybePoly e = as_written(added.numerator);
  const MaybePoly unshifted = e ? poly_add(*e, poly_constant(e->constant_term()), -1) : e;
  if (!d || *d <= 0 || !unshifted)
    return;
  auto &others = shifted_[to_string(to_index(*unshifted)) + " / " + std::to_string(*d)];
  for (const auto &[constant_term, quotient] : others) {
    std::int64_t c = 0;
    if (__builtin_sub_overflow(e->constant_term(), constant_term, &c))
      continue;
    const Index least = add(quotient, constant(floor_div(c, *d)));
    definitions_.push_back(compare(PredOp::le, least, added.quotient));
    definitions_.push_back(
        compare(PredOp::le, added.quotient, c % *d == 0 ? least : add(least, constant(1))));
  }
  others.emplace_back(e->constant_term(), added.quotient);
}

static bool has_remainder(const Poly &p) {
  return std::any_of(p.terms.begin(), p.terms.end(), [](const auto &term) {
    return term.first.size() == 1 && term.first[0].text().starts_with("r!");
  });
}

// With e - e / m * m for e % m wherever the number divides m; nothing if it does nowhere.
MaybePoly Purifier::with_quotients(Poly p, std::int64_t number) const {
  bool is_new = false;
  // From the last to the first: a numerator mentions remainders before its own.
  for (auto q = quotients_.rbegin(); q != quotients_.rend() && has_remainder(p); ++q) {
    const std::int64_t m = as_constant(q->divisor).value_or(0);
    if (m <= 0 || m % number != 0)
      continue;
    const Division by_remainder = *poly_divide(p, poly_atom(q->remainder));
    if (by_remainder.quotient.terms.empty() || !by_remainder.quotient.is_constant())
      continue;
    const MaybePoly whole = as_written(sub(q->numerator, mul(q->quotient, q->divisor)));
    const MaybePoly sum =
        whole ? poly_add(by_remainder.rest, *whole, by_remainder.quotient.constant_term()) : whole;
    if (!sum)
      return std::nullopt;
    p = *sum;
    is_new = true;
  }
  return is_new ? MaybePoly(p) : std::nullopt;
}

// Of e by a number: the terms that it divides, and the others; nothing if it divides none. x % 4 / 2 is
// x / 2 - x / 4 * 2, which helps if there is x / 2, such as that of x % 2. Else the range of x % 4 is worth
// more.
std::optional<Division> Purifier::divided_terms(const Index &e, const Index &divisor) const {
  const std::int64_t number = as_constant(divisor).value_or(0);
  const MaybePoly p = as_written(e);
  if (number <= 0 || !p)
    return std::nullopt;
  std::optional<Division> terms = poly_divide(*p, poly_constant(number));
  if (const MaybePoly longer = by_ == Decider::z3 ? with_quotients(*p, number) : std::nullopt) {
    const Division of_longer = *poly_divide(*longer, poly_constant(number));
    if (of_longer.rest.terms.empty() ||
        known_quotients_.contains(quotient_text(to_index(of_longer.rest), divisor)))
      terms = of_longer;
  }
  return terms->quotient.terms.empty() ? std::nullopt : terms;
}

Index Purifier::quotient(const Index &numerator, const Index &divisor) {
  const auto terms = divided_terms(numerator, divisor);
  if (!terms)
    return divide(numerator, divisor).quotient;
  const Index whole = to_index(terms->quotient);
  return terms->rest.terms.empty() ? whole : add(whole, divide(to_index(terms->rest), divisor).quotient);
}

Index Purifier::remainder(const Index &numerator, const Index &divisor) {
  const auto terms = divided_terms(numerator, divisor);
  if (!terms)
    return divide(numerator, divisor).remainder;
  return terms->rest.terms.empty() ? constant(0) : divide(to_index(terms->rest), divisor).remainder;
}

Index Purifier::extremum(IndexOp op, const Index &a, const Index &b) {
  auto [known, is_new] = known_extrema_.try_emplace(to_string(binary(op, a, b)));
  if (!is_new)
    return known->second;
  Index m = fresh('m', op, a, b);
  known->second = m;
  PredOp side = op == IndexOp::min ? PredOp::le : PredOp::ge;
  definitions_.push_back(compare(side, m, a));
  definitions_.push_back(compare(side, m, b));
  definitions_.push_back(disj(compare(PredOp::eq, m, a), compare(PredOp::eq, m, b)));
  return m;
}

Index Purifier::pure(const Index &e) {
  if (is_leaf(e))
    return e;
  if (auto known = known_.find(e); known != known_.end())
    return known->second;
  Index found = pure_operation(e);
  known_.emplace(e, found);
  return found;
}

Index Purifier::pure_operation(const Index &e) {
  Index a = pure(e->a), b = pure(e->b);
  switch (e->op) {
  case IndexOp::div: return quotient(a, b);
  case IndexOp::mod: return remainder(a, b);
  case IndexOp::cdiv: return quotient(sub(add(a, b), constant(1)), b);
  case IndexOp::min:
  case IndexOp::max: return extremum(e->op, a, b);
  default: return binary(e->op, a, b);
  }
}

Pred Purifier::pure(const Pred &p) { // the stand-ins are numbered in the order of the text
  return with_indices(p, [this](const Index &e) { return pure(e); });
}

bool is_linear(const std::vector<Pred> &parts) {
  bool linear = true;
  auto visit = [&](const Index &e) {
    linear = linear && (e->op != IndexOp::mul || as_constant(e->a) || as_constant(e->b));
  };
  for (const Pred &p : parts)
    for_each_subexpression(p, visit);
  return linear;
}

Formula counterexample_formula(const std::vector<Pred> &hypotheses, const Pred &claim, Decider by) {
  Purifier purifier(by);
  Formula formula;
  for (const Pred &hypothesis : hypotheses)
    formula.parts.push_back(purifier.pure(hypothesis));
  formula.parts.push_back(neg(purifier.pure(claim)));
  formula.definitions = purifier.definitions();
  formula.stand_ins = purifier.stand_ins();
  formula.quotients = purifier.quotients();
  formula.linear = is_linear(formula.parts) && is_linear(formula.definitions);
  formula.by = by;
  return formula;
}

} // namespace atl::proofs
