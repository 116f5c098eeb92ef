#include "proofs/z3/lemmas.h"

namespace atl::proofs {

namespace {

Index f() {
  return variable("f");
}
Index g() {
  return variable("g");
}
Index product() {
  return binary(IndexOp::mul, f(), g());
}
Pred nonnegative(const Index &e) {
  return compare(PredOp::ge, e, constant(0));
}
Pred positive(const Index &e) {
  return compare(PredOp::gt, e, constant(0));
}
Pred zero(const Index &e) {
  return compare(PredOp::eq, e, constant(0));
}

} // namespace

const Lemma &product_lemma() {
  static const Lemma lemma{"product", {nonnegative(f()), nonnegative(g())}, nonnegative(product())};
  return lemma;
}

const Lemma &scaled_equation_lemma() {
  static const Lemma lemma{"scaled-equation", {zero(f())}, zero(product())};
  return lemma;
}

const Lemma &positive_factors_lemma() {
  static const Lemma lemma{"positive-factors",
                           {nonnegative(f()), nonnegative(g()), positive(product())},
                           conj(positive(f()), positive(g()))};
  return lemma;
}

const std::vector<const Lemma *> &all_lemmas() {
  static const std::vector<const Lemma *> lemmas{&product_lemma(), &scaled_equation_lemma(),
                                                 &positive_factors_lemma()};
  return lemmas;
}

Pred as_formula(const Lemma &lemma) {
  return disj(neg(conj(lemma.premises)), lemma.conclusion);
}

Pred instance(const Lemma &lemma, const Index &f_is, const Index &g_is) {
  return substitute(as_formula(lemma), {{"f", f_is}, {"g", g_is}});
}

} // namespace atl::proofs
