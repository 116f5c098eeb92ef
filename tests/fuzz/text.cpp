#include "fuzz/text.h"

#include "atl/base/check.h"

namespace atl::fuzz {

Text atom(const std::string &text) {
  return {text, text};
}

static std::string symbol(IndexOp op) {
  switch (op) {
  case IndexOp::add: return " + ";
  case IndexOp::sub: return " - ";
  case IndexOp::mul: return " * ";
  case IndexOp::div: return " / ";
  case IndexOp::mod: return " % ";
  case IndexOp::cdiv: return "cdiv";
  case IndexOp::min: return "min";
  case IndexOp::max: return "max";
  default: ATL_CHECK(false, "not a binary index operation");
  }
}

static int binding(IndexOp op) {
  switch (op) {
  case IndexOp::add:
  case IndexOp::sub: return precedence::sum;
  case IndexOp::mul:
  case IndexOp::div:
  case IndexOp::mod: return precedence::product;
  default: return 0; // call syntax
  }
}

Text index_text(const Index &e) {
  if (e->op == IndexOp::constant)
    return e->value < 0 ? prefix("-", atom(std::to_string(-e->value)), precedence::prefix)
                        : atom(std::to_string(e->value));
  if (e->op == IndexOp::variable)
    return atom(e->name);
  Text a = index_text(e->a), b = index_text(e->b);
  return binding(e->op) == 0 ? call(symbol(e->op), {a, b}) : infix(a, symbol(e->op), b, binding(e->op));
}

static std::string symbol(PredOp op) {
  switch (op) {
  case PredOp::lt: return " < ";
  case PredOp::le: return " <= ";
  case PredOp::gt: return " > ";
  case PredOp::ge: return " >= ";
  case PredOp::eq: return " == ";
  case PredOp::ne: return " != ";
  default: ATL_CHECK(false, "not a comparison");
  }
}

Text pred_text(const Pred &p) {
  switch (p->op) {
  case PredOp::conj: return infix(pred_text(p->a), " and ", pred_text(p->b), precedence::conjunction);
  case PredOp::disj: return infix(pred_text(p->a), " or ", pred_text(p->b), precedence::disjunction);
  case PredOp::neg: return prefix("not ", pred_text(p->a), precedence::negation);
  case PredOp::truth: return atom(p->value ? "true" : "false");
  default:
    // Comparisons form chains, so neither side is one without parentheses.
    return {operand(index_text(p->lhs), precedence::sum).minimal + symbol(p->op) +
                operand(index_text(p->rhs), precedence::sum).minimal,
            "(" + index_text(p->lhs).full + symbol(p->op) + index_text(p->rhs).full + ")",
            precedence::comparison};
  }
}

Text operator+(const Text &a, const Text &b) {
  return {a.minimal + b.minimal, a.full + b.full};
}
Text operator+(const Text &a, const std::string &b) {
  return a + atom(b);
}
Text operator+(const std::string &a, const Text &b) {
  return atom(a) + b;
}

Text join(const std::vector<Text> &parts) {
  Text all;
  for (std::size_t i = 0; i < parts.size(); ++i)
    all = all + (i == 0 ? "" : ", ") + parts[i];
  return all;
}

Text operand(const Text &text, int min_precedence) {
  if (text.precedence >= min_precedence)
    return text;
  return {"(" + text.minimal + ")", text.full, precedence::atom, text.anchored};
}

Text infix(const Text &a, const std::string &symbol, const Text &b, int binding) {
  Text left = operand(a, binding), right = operand(b, binding + 1);
  return {left.minimal + symbol + right.minimal, "(" + a.full + symbol + b.full + ")", binding};
}

Text prefix(const std::string &symbol, const Text &a, int binding) {
  return {symbol + operand(a, binding).minimal, "(" + symbol + a.full + ")", binding};
}

Text call(const std::string &name, const std::vector<Text> &args) {
  return name + ("(" + join(args) + ")");
}

Text block(const Text &inside) {
  return "{ " + inside + " }";
}

} // namespace atl::fuzz
