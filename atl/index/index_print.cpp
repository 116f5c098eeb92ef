// Index expressions and predicates to source text.
#include "atl/base/deadline.h"
#include "atl/index/index.h"
#include "atl/scalar/scalar.h"

#include <utility>

namespace atl {

namespace {

// Appends to one text: those of all the parts would be many.
class Printer {
public:
  std::string text;

  void print(const Index &e, int min_precedence) {
    take_step();
    if (e->op == IndexOp::variable) {
      text += e->name;
    } else if (e->op == IndexOp::constant) {
      bool in_parentheses = e->value < 0 && min_precedence > precedence::prefix;
      enclosed_if(in_parentheses, [&] { text += std::to_string(e->value); });
    } else if (const IndexOpInfo &op = info(e->op); op.precedence > 0) {
      // Left-associative: the right operand needs a stronger binding.
      infix(e->a, op.precedence, op.text, e->b, op.precedence + 1, op.precedence < min_precedence);
    } else {
      text += op.text;
      enclosed_if(true, [&] {
        print(e->a, 0);
        text += ", ";
        print(e->b, 0);
      });
    }
  }

  void print(const Pred &p, int min_precedence) {
    namespace binds = precedence;
    if (p->op == PredOp::truth) {
      text += p->value ? "true" : "false";
    } else if (p->op == PredOp::neg) {
      enclosed_if(binds::negation < min_precedence, [&] {
        text += "not ";
        print(p->a, binds::negation);
      });
    } else if (p->op == PredOp::conj) {
      infix(p->a, binds::conjunction, "and", p->b, binds::conjunction + 1,
            binds::conjunction < min_precedence);
    } else if (p->op == PredOp::disj) {
      infix(p->a, binds::disjunction, "or", p->b, binds::disjunction + 1,
            binds::disjunction < min_precedence);
    } else {
      constexpr int binding = binds::comparison;
      infix(p->lhs, binding + 1, atl::comparison(p->op).text, p->rhs, binding + 1, binding < min_precedence);
    }
  }

private:
  template <class Inside>
  void enclosed_if(bool needed, Inside inside) {
    if (needed)
      text += '(';
    inside();
    if (needed)
      text += ')';
  }

  template <class Operand>
  void infix(const Operand &a, int left, std::string_view symbol, const Operand &b, int right,
             bool in_parentheses) {
    enclosed_if(in_parentheses, [&] {
      print(a, left);
      ((text += ' ') += symbol) += ' ';
      print(b, right);
    });
  }
};

} // namespace

std::string to_string(const Index &e, int min_precedence) {
  Printer printer;
  printer.print(e, min_precedence);
  return std::move(printer.text);
}

std::string to_string(const Pred &p, int min_precedence) {
  Printer printer;
  printer.print(p, min_precedence);
  return std::move(printer.text);
}

} // namespace atl
