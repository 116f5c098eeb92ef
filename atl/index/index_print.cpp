// Index expressions and predicates to source text.
#include "atl/base/check.h"
#include "atl/index/index.h"
#include "atl/scalar/scalar.h"

namespace atl {

namespace {

std::string parenthesized_if(bool needed, const std::string &text) {
  return needed ? "(" + text + ")" : text;
}

std::string infix(const char *symbol, int binding, const Index &e, int min_precedence) {
  // Left-associative: the right operand needs a stronger binding.
  return parenthesized_if(binding < min_precedence,
                          to_string(e->a, binding) + symbol + to_string(e->b, binding + 1));
}

std::string call(const char *function, const Index &e) {
  return std::string(function) + "(" + to_string(e->a) + ", " + to_string(e->b) + ")";
}

const char *symbol(PredOp op) {
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

} // namespace

std::string to_string(const Index &e, int min_precedence) {
  switch (e->op) {
  case IndexOp::constant:
    return parenthesized_if(e->value < 0 && min_precedence > precedence::prefix, std::to_string(e->value));
  case IndexOp::variable: return e->name;
  case IndexOp::add: return infix(" + ", precedence::sum, e, min_precedence);
  case IndexOp::sub: return infix(" - ", precedence::sum, e, min_precedence);
  case IndexOp::mul: return infix(" * ", precedence::product, e, min_precedence);
  case IndexOp::div: return infix(" / ", precedence::product, e, min_precedence);
  case IndexOp::mod: return infix(" % ", precedence::product, e, min_precedence);
  case IndexOp::cdiv: return call("cdiv", e);
  case IndexOp::min: return call("min", e);
  case IndexOp::max: return call("max", e);
  }
  ATL_CHECK(false, "an index operation without a printer");
}

std::string to_string(const Pred &p, int min_precedence) {
  switch (p->op) {
  case PredOp::truth: return p->value ? "true" : "false";
  case PredOp::conj:
    return parenthesized_if(precedence::conjunction < min_precedence,
                            to_string(p->a, precedence::conjunction) + " and " +
                                to_string(p->b, precedence::conjunction + 1));
  case PredOp::disj:
    return parenthesized_if(precedence::disjunction < min_precedence,
                            to_string(p->a, precedence::disjunction) + " or " +
                                to_string(p->b, precedence::disjunction + 1));
  case PredOp::neg:
    return parenthesized_if(precedence::negation < min_precedence,
                            "not " + to_string(p->a, precedence::negation));
  default:
    return parenthesized_if(precedence::comparison < min_precedence,
                            to_string(p->lhs, precedence::comparison + 1) + symbol(p->op) +
                                to_string(p->rhs, precedence::comparison + 1));
  }
}

} // namespace atl
