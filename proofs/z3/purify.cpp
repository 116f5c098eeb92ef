#include "proofs/z3/purify.h"

#include "atl/base/check.h"

namespace atl::proofs {

// The same text for expressions that are equal as polynomials.
static std::string normal_form(const Index &e) {
  MaybePoly p = as_written(e);
  return to_string(p ? to_index(*p) : e);
}

Index Purifier::fresh(char prefix, IndexOp op, const Index &a, const Index &b) {
  std::string name = std::string(1, prefix) + "!" + std::to_string(stand_ins_.size() + 1);
  stand_ins_.push_back({name, op, a, b});
  return variable(name);
}

const Quotient &Purifier::divide(const Index &numerator, const Index &divisor) {
  auto [known, is_new] =
      known_quotients_.try_emplace(normal_form(numerator) + " / " + normal_form(divisor), quotients_.size());
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

// Of e by a number: the terms that it divides, and the others.
static std::optional<Division> divided_terms(const Index &e, const Index &divisor) {
  const auto number = as_constant(divisor);
  const MaybePoly p = as_written(e);
  return number && *number > 0 && p ? poly_divide(*p, poly_constant(*number)) : std::nullopt;
}

Index Purifier::quotient(const Index &numerator, const Index &divisor) {
  const auto terms = divided_terms(numerator, divisor);
  if (!terms || terms->quotient.terms.empty())
    return divide(numerator, divisor).quotient;
  const Index whole = to_index(terms->quotient);
  return terms->rest.terms.empty() ? whole : add(whole, divide(to_index(terms->rest), divisor).quotient);
}

Index Purifier::remainder(const Index &numerator, const Index &divisor) {
  const auto terms = divided_terms(numerator, divisor);
  if (!terms || terms->quotient.terms.empty())
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

Formula counterexample_formula(const std::vector<Pred> &hypotheses, const Pred &claim) {
  Purifier purifier;
  Formula formula;
  for (const Pred &hypothesis : hypotheses)
    formula.parts.push_back(purifier.pure(hypothesis));
  formula.parts.push_back(neg(purifier.pure(claim)));
  formula.definitions = purifier.definitions();
  formula.stand_ins = purifier.stand_ins();
  formula.quotients = purifier.quotients();
  formula.linear = is_linear(formula.parts) && is_linear(formula.definitions);
  return formula;
}

} // namespace atl::proofs
