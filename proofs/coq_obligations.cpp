#include "proofs/coq_obligations.h"

#include "proofs/coq_program.h"
#include "proofs/coq_terms.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

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

// No product of variables, and no division by one: what `lia` decides.
bool is_linear(const Index &e) {
  if (e->op == IndexOp::constant || e->op == IndexOp::variable)
    return true;
  bool left = as_constant(e->a).has_value(), right = as_constant(e->b).has_value();
  bool divides = e->op == IndexOp::div || e->op == IndexOp::mod || e->op == IndexOp::cdiv;
  bool fits = divides ? right : e->op != IndexOp::mul || left || right;
  return fits && is_linear(e->a) && is_linear(e->b);
}

bool is_linear(const Pred &p) {
  switch (p->op) {
  case PredOp::truth: return true;
  case PredOp::conj:
  case PredOp::disj: return is_linear(p->a) && is_linear(p->b);
  case PredOp::neg: return is_linear(p->a);
  default: return is_linear(p->lhs) && is_linear(p->rhs);
  }
}

bool is_linear(const Obligation &o) {
  return std::all_of(o.hypotheses.begin(), o.hypotheses.end(), [](const Pred &p) { return is_linear(p); }) &&
         std::all_of(o.claims.begin(), o.claims.end(), [](const Claim &c) { return is_linear(c.holds); });
}

// What a linear obligation says, as Coq has it.
std::string statement(const Obligation &o, const std::vector<std::string> &given) {
  Subst identifiers; // loop variables as Coq has them
  std::vector<std::string> variables, parts;
  for (const std::string &variable_name : o.variables) {
    std::string name = size_name(identifier(variable_name));
    while (std::count(variables.begin(), variables.end(), name) > 0 ||
           std::count(o.sizes.begin(), o.sizes.end(), name) > 0)
      name += "'";
    variables.push_back(name);
    identifiers[variable_name] = variable(name);
  }
  for (const Pred &hypothesis : o.hypotheses)
    for (const Pred &p : conjuncts(hypothesis)) {
      std::string text = proposition(substitute(p, identifiers));
      if (std::find(given.begin(), given.end(), text) == given.end())
        parts.push_back(text + " -> ");
    }
  std::vector<std::string> claims;
  for (const Claim &claim : o.claims)
    claims.push_back(proposition(substitute(claim.holds, identifiers)));
  return fmt::format("{}\n    {}{}",
                     variables.empty() ? "" : fmt::format(" forall {},", fmt::join(variables, " ")),
                     fmt::join(parts, ""), fmt::join(claims, " /\\ "));
}

std::string lemma_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

} // namespace

std::string obligation_lemmas(const std::vector<NamedObligation> &obligations,
                              const std::vector<std::string> &given) {
  std::string text;
  std::map<std::string, std::string> proved; // by statement: several places may ask the same
  for (const NamedObligation &named : obligations) {
    const Obligation &o = *named.obligation;
    if (!is_linear(o)) {
      text += fmt::format("  (* {}, {}, is about products of sizes: {} *)\n\n", named.name, named.place,
                          comment(o.what));
      continue;
    }
    std::string name = lemma_name(named.name), says = statement(o, given);
    auto [before, is_new] = proved.try_emplace(says, name);
    text += fmt::format("  (** {}: {} *)\n  Lemma {} :{}.\n  Proof. {}. Qed.\n\n", named.place,
                        comment(o.what), name, says, is_new ? "obligation" : "exact " + before->second);
  }
  return text;
}

} // namespace atl::proofs::coq
