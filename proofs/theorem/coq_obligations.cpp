#include "proofs/theorem/coq_obligations.h"

#include "proofs/refute/certificate.h"
#include "proofs/theorem/coq_program.h"
#include "proofs/theorem/coq_terms.h"
#include "proofs/z3/alternatives.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace atl::proofs::coq {

namespace {

// Nothing in it begins or ends a comment, or a string in a comment.
std::string comment(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (!result.empty() && ((result.back() == '(' && c == '*') || (result.back() == '*' && c == ')')))
      result += ' ';
    result += c == '"' ? '\'' : c;
  }
  return result;
}

// Conjuncts of an obligation, with loop variables as Coq has them.
struct Sequent {
  std::vector<std::string> variables;
  std::vector<Pred> hypotheses, claims;
};

Sequent sequent(const Obligation &o) {
  Sequent result;
  Subst identifiers;
  for (const std::string &variable_name : o.variables) {
    std::string name = size_name(identifier(variable_name));
    while (std::count(result.variables.begin(), result.variables.end(), name) > 0 ||
           std::count(o.sizes.begin(), o.sizes.end(), name) > 0)
      name += "'";
    result.variables.push_back(name);
    identifiers[variable_name] = variable(name);
  }
  auto add = [&](std::vector<Pred> &to, const Pred &p) {
    for (const Pred &part : conjuncts(p))
      to.push_back(substitute(part, identifiers));
  };
  for (const Pred &hypothesis : o.hypotheses)
    add(result.hypotheses, hypothesis);
  for (const Claim &claim : o.claims)
    add(result.claims, claim.holds);
  return result;
}

std::string statement(const Sequent &s, const std::vector<std::string> &given) {
  std::vector<std::string> parts, claims;
  // What is known of sizes is a hypothesis of both iterations, where there are two.
  std::set<std::string> known(given.begin(), given.end());
  for (const Pred &p : s.hypotheses)
    if (std::string text = proposition(p); known.insert(text).second)
      parts.push_back(text + " -> ");
  for (const Pred &p : s.claims)
    claims.push_back(proposition(p));
  return fmt::format("{}\n    {}{}",
                     s.variables.empty() ? "" : fmt::format(" forall {} : Z,", fmt::join(s.variables, " ")),
                     fmt::join(parts, ""), fmt::join(claims, " /\\ "));
}

std::string fact(const Hint &hint) {
  std::string lemma(hint.lemma->name);
  std::replace(lemma.begin(), lemma.end(), '-', '_');
  return fmt::format("fact (Obligations.{} {} {}). ", lemma, integer(hint.f), integer(hint.g));
}

// So that the opposite of each is one inequality, not two cases.
std::vector<Pred> inequalities(const Pred &claim) {
  if (claim->op != PredOp::eq)
    return {claim};
  return {compare(PredOp::le, claim->lhs, claim->rhs), compare(PredOp::le, claim->rhs, claim->lhs)};
}

// Each claim from the hypotheses and the claims before it. Nothing if it is not known why one holds.
std::optional<std::string> proof_about_products(const Sequent &s) {
  std::string text = s.variables.empty() ? "" : fmt::format("intros {}. ", fmt::join(s.variables, " "));
  text += "about_products.";
  std::vector<Pred> hypotheses = s.hypotheses;
  for (const Pred &claim : s.claims) {
    for (const Pred &goal : inequalities(claim)) {
      auto hints = certificate(hypotheses, goal);
      if (!hints)
        return std::nullopt;
      text += "\n    - ";
      for (const Hint &hint : *hints)
        text += fact(hint);
      text += "by_facts.";
    }
    hypotheses.push_back(claim);
  }
  return text + "\n  ";
}

Pred all_claims(const Sequent &s) {
  return conj(s.claims);
}

bool is_linear(const Sequent &s) {
  return counterexample_formula(s.hypotheses, all_claims(s), Decider::coq).linear;
}

void forget_other_variables(Sequent &s) {
  std::set<std::string> mentioned;
  for (const std::vector<Pred> &part : {s.hypotheses, s.claims})
    for (const Pred &p : part)
      collect_variables(p, mentioned);
  std::erase_if(s.variables, [&](const std::string &name) { return !mentioned.contains(name); });
}

// With the hypotheses that its claims need, and the variables that it mentions. What is said of the loops and
// versions around is often needed nowhere, and the same is asked for several of these.
void shorten(z3::context &context, Sequent &s) {
  s.hypotheses = needed_hypotheses(context, s.hypotheses, all_claims(s));
  forget_other_variables(s);
}

// Without the conditions of versions that are not chosen, for one: `lia` would distinguish all their cases.
Sequent without_alternatives(Sequent s) {
  std::erase_if(s.hypotheses, is_alternative);
  forget_other_variables(s);
  return s;
}

// What it says in fewer words, and then in all that may be needed to prove it.
std::vector<Sequent> shorter(z3::context &context, Sequent s, bool linear) {
  if (linear) {
    shorten(context, s);
    return {s};
  }
  Sequent fewer = without_alternatives(s);
  if (fewer.hypotheses.size() == s.hypotheses.size())
    return {s};
  return {fewer, s};
}

// What it says, whatever its variables are called.
std::string without_names(Sequent s, const std::vector<std::string> &given) {
  Subst numbered;
  for (std::string &name : s.variables) {
    std::string number = fmt::format("!{}", numbered.size());
    numbered[name] = variable(number);
    name = number;
  }
  for (std::vector<Pred> *part : {&s.hypotheses, &s.claims})
    for (Pred &p : *part)
      p = substitute(p, numbered);
  return statement(s, given);
}

std::string lemma_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

// Lemmas by what they say: several places may ask the same.
class Lemmas {
public:
  explicit Lemmas(const std::vector<std::string> &given) : given_(given) {}

  std::string add(const NamedObligation &named) {
    const Sequent o = sequent(*named.obligation);
    const std::string name = lemma_name(named.name), place = comment(named.place),
                      what = comment(named.obligation->what);
    const bool linear = is_linear(o);
    for (const Sequent &s : shorter(context_, o, linear)) {
      const std::string says = without_names(s, given_);
      if (auto before = proved_.find(says); before != proved_.end())
        return fmt::format("  (** {}: {} *)\n  Definition {} := {}.\n\n", place, what, name, before->second);
      if (const auto proof = linear ? std::optional<std::string>("obligation. ") : proof_about_products(s)) {
        proved_[says] = name;
        return fmt::format("  (** {}: {} *)\n  Lemma {} :{}.\n  Proof. {}Qed.\n\n", place, what, name,
                           statement(s, given_), *proof);
      }
    }
    return fmt::format("  (* {}, {}, was proved by other means than lemmas about products: {} *)\n\n",
                       comment(named.name), place, what);
  }

private:
  const std::vector<std::string> &given_;
  z3::context context_;
  std::map<std::string, std::string> proved_;
};

} // namespace

std::string obligation_lemmas(const std::vector<NamedObligation> &obligations,
                              const std::vector<std::string> &given) {
  std::string text;
  Lemmas lemmas(given);
  for (const NamedObligation &named : obligations)
    text += lemmas.add(named);
  return text;
}

} // namespace atl::proofs::coq
