// An obligation as an SMT-LIB 2 script: the hypotheses, the negated claims, and lemma instances where there
// are products.
#include "proofs/discharge.h"
#include "proofs/z3/hints.h"
#include "proofs/z3/solve.h"

#include "atl/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace atl::proofs {

namespace {

// Symbols of SMT-LIB and of the theory of integers, which a variable must not be called.
const std::set<std::string> &taken_symbols() {
  static const std::set<std::string> symbols{
      "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "_",     "!",   "as",   "let",
      "exists", "forall",  "match",       "par",     "true",   "false", "not", "and",  "or",
      "xor",    "ite",     "distinct",    "div",     "mod",    "abs",   "Int", "Real", "Bool"};
  return symbols;
}

std::string symbol(const std::string &name) {
  if (taken_symbols().contains(name))
    return "|" + name + " |"; // a blank makes it another symbol
  bool simple = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                std::all_of(name.begin(), name.end(), [](char c) {
                  return std::isalnum(static_cast<unsigned char>(c)) ||
                         std::string_view("_!.").find(c) != std::string_view::npos;
                });
  return simple ? name : "|" + name + "|";
}

std::string comment(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return "; " + text + "\n";
}

const char *operator_of(IndexOp op) {
  switch (op) {
  case IndexOp::add: return "+";
  case IndexOp::sub: return "-";
  case IndexOp::mul: return "*";
  case IndexOp::div: return "div";
  case IndexOp::mod: return "mod";
  default: ATL_CHECK(false, "not an operator of SMT-LIB");
  }
}

const char *operator_of(PredOp op) {
  switch (op) {
  case PredOp::lt: return "<";
  case PredOp::le: return "<=";
  case PredOp::gt: return ">";
  case PredOp::ge: return ">=";
  case PredOp::eq: return "=";
  case PredOp::ne: return "distinct";
  case PredOp::conj: return "and";
  case PredOp::disj: return "or";
  default: ATL_CHECK(false, "not an operator of SMT-LIB");
  }
}

std::string term(const Index &e) {
  if (e->op == IndexOp::constant) {
    std::string digits = std::to_string(e->value);
    return e->value < 0 ? "(- " + digits.substr(1) + ")" : digits;
  }
  if (e->op == IndexOp::variable)
    return symbol(e->name);
  return fmt::format("({} {} {})", operator_of(e->op), term(e->a), term(e->b));
}

std::string term(const Pred &p) {
  if (p->op == PredOp::truth)
    return p->value ? "true" : "false";
  if (p->op == PredOp::neg)
    return fmt::format("(not {})", term(p->a));
  if (p->lhs)
    return fmt::format("({} {} {})", operator_of(p->op), term(p->lhs), term(p->rhs));
  return fmt::format("({} {} {})", operator_of(p->op), term(p->a), term(p->b));
}

std::string definition(const StandIn &stand_in) {
  std::string a = term(stand_in.a), b = term(stand_in.b);
  std::string value = stand_in.op == IndexOp::min ? fmt::format("(ite (<= {0} {1}) {0} {1})", a, b)
                      : stand_in.op == IndexOp::max
                          ? fmt::format("(ite (<= {0} {1}) {1} {0})", a, b)
                          : fmt::format("({} {} {})", operator_of(stand_in.op), a, b);
  return fmt::format("(define-fun {} () Int {})\n", stand_in.name, value);
}

std::string header(const Obligation &obligation, const Formula &formula, const Sources &sources) {
  std::string text = comment(fmt::format("{}: {}", name(obligation.kind), obligation.what)) +
                     comment("kernel " + obligation.kernel + ", " + sources.where(obligation.span)) +
                     comment("expected answer: unsat (no values make a claim false)");
  bool within_lia = formula.linear && formula.quotients.empty();
  text += fmt::format("(set-info :smt-lib-version 2.6)\n(set-logic {})\n", within_lia ? "QF_LIA" : "QF_NIA");
  for (const auto *names : {&obligation.sizes, &obligation.variables})
    for (const std::string &name : *names)
      text += fmt::format("(declare-const {} Int)\n", symbol(name));
  return text;
}

} // namespace

std::string to_smtlib(const Obligation &obligation, const Sources &sources) {
  Pred claims = truth(true);
  for (const Claim &claim : obligation.claims)
    claims = conj(claims, claim.holds);
  Formula formula = counterexample_formula(obligation.hypotheses, claims);
  std::string text = header(obligation, formula, sources);
  if (!formula.stand_ins.empty())
    text += comment(
        "divisors are positive (an obligation of its own): div and mod are floor division and its remainder");
  for (const StandIn &stand_in : formula.stand_ins)
    text += definition(stand_in);
  text += comment("hypotheses");
  for (std::size_t i = 0; i < obligation.hypotheses.size(); ++i)
    text +=
        comment(to_string(obligation.hypotheses[i])) + fmt::format("(assert {})\n", term(formula.parts[i]));
  text += comment("not all claims") + comment(to_string(claims)) +
          fmt::format("(assert {})\n", term(formula.parts.back()));
  if (!formula.linear) {
    text += "(push 1) ; z3 then keeps to one solver, which makes the most of the lemmas\n";
    text += comment("instances of lemmas, true for all integers: they help the solver");
    for (const std::vector<Pred> &lemmas :
         {formula.definitions, as_formulas(make_hints(formula, Hints::focused))})
      for (const Pred &lemma : lemmas)
        text += fmt::format("(assert {})\n", term(lemma));
  }
  return text + "(check-sat)\n";
}

} // namespace atl::proofs
