#include "accel/lanes/premises.h"

#include <algorithm>

namespace atl::accel {

namespace {

bool is_same_place(const Obligation &o, const Known &there) {
  return o.variables == there.variables &&
         std::equal(o.hypotheses.begin(), o.hypotheses.end(), there.hypotheses.begin(),
                    there.hypotheses.end(), [](const Pred &a, const Pred &b) { return equal(a, b); });
}

} // namespace

bool Premises::holds_by(const Facts &facts, const Pred &p, const Known &there) {
  if (!facts.proves(p))
    return false;
  for (const Pred &part : conjuncts(p))
    add(part, there);
  return true;
}

bool Premises::are_equal(const Index &a, const Index &b, const Known &there) {
  if (equal(a, b))
    return true;
  const Index difference = sub(a, b);
  auto is_zero = [&](const Index &e) { return as_constant(there.facts().simplify(e)) == 0; };
  if (!is_zero(without_remainders(difference)) && !is_zero(difference)) // what is known may have remainders
    return false;
  add(compare(PredOp::eq, a, b), there);
  return true;
}

// What is a hypothesis, word by word, needs no proof.
void Premises::add(const Pred &p, const Known &there) {
  const bool is_true = p->op == PredOp::truth && p->value;
  if (!is_true && !is_among(p, conjuncts(conj(there.hypotheses))))
    all_.push_back({there, p});
}

std::vector<Obligation> Premises::obligations(Span span, const std::string &what) const {
  std::vector<Obligation> result;
  for (const Premise &premise : all_) {
    auto known = std::find_if(result.begin(), result.end(),
                              [&](const Obligation &o) { return is_same_place(o, premise.there); });
    if (known == result.end())
      known = result.insert(
          known, premise.there.obligation(ObligationKind::instr, Code::instruction_condition, span, what));
    const bool is_new = std::none_of(known->claims.begin(), known->claims.end(),
                                     [&](const Claim &c) { return equal(c.holds, premise.holds); });
    if (is_new)
      known->claims.push_back({premise.holds, {"it rests on " + to_string(premise.holds)}});
  }
  return result;
}

} // namespace atl::accel
