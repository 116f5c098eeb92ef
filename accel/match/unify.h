// The one unifier: the meaning of an instruction and an expression of the loops -> what its operands are.
//
// It compares operations, of which the order is the same in both, and asks the mapper the rest: what an
// operand may be, what a scalar may be, and what may be computed in place of an expression. It uses describe/
// and knows neither lanes nor blocks. Validators do not use it: they compare meanings on their own.
#pragma once
#include "accel/describe/instruction.h"
#include "atl/syntax/same.h"

#include <vector>

namespace atl::accel {

// What a mapper answers for a part `p` of the meaning that is to be the part `e` of the expression. It notes
// in `found` what follows from a yes; `found` is copied before each of several ways, and a no may leave
// anything in it.
template <class Found>
class Questions {
public:
  virtual ~Questions() = default;

  // Is it the element that the meaning reads there of an operand with several?
  virtual bool is_element(const Param &operand, const Access &read, const ExprPtr &e, Found &found) = 0;
  // Is it the same for all elements of the result?
  virtual bool is_scalar(const Param &operand, const ExprPtr &e, Found &found) = 0;
  // The expression itself, and what may be computed in its place: rounded once instead of twice, or with
  // operands in another order. The first that fits is taken.
  virtual std::vector<ExprPtr> forms_of(const ExprPtr &p, const ExprPtr &e) = 0;

  // Of a guard or a sum in the meaning: the part of the expression that its body is then to be. Null: none.
  virtual ExprPtr inside(const ExprPtr &, const ExprPtr &, Found &) { return nullptr; }
  // Does it decide as the condition in the meaning does?
  virtual bool is_condition(const Test &, const ExprPtr &, Found &) { return false; }

  // They are no match; for a message. False.
  virtual bool differ(const ExprPtr &, const ExprPtr &, const Found &) { return false; }
};

template <class Found>
bool unify(const Instruction &instruction, const ExprPtr &p, const ExprPtr &e, Found &found,
           Questions<Found> &ask);

template <class Found>
bool unify_children(const Instruction &instruction, const ExprPtr &p, const ExprPtr &e, Found &found,
                    Questions<Found> &ask) {
  const std::vector<ExprPtr> ps = children(*p), es = children(*e);
  for (std::size_t i = 0; i < ps.size(); ++i)
    if (!unify(instruction, ps[i], es[i], found, ask))
      return false;
  return true;
}

// Whether the operands of the instruction can be chosen so that its meaning `p` is the expression `e`.
template <class Found>
bool unify(const Instruction &instruction, const ExprPtr &p, const ExprPtr &e, Found &found,
           Questions<Found> &ask) {
  if (const Access *read = std::get_if<Access>(&p->node)) {
    const Param *operand = find_operand(instruction, read->tensor);
    if (!operand || operand->type.elem != e->type->elem)
      return ask.differ(p, e, found);
    return operand->type.shape.empty() ? ask.is_scalar(*operand, e, found)
                                       : ask.is_element(*operand, *read, e, found);
  }
  if (std::holds_alternative<Guard>(p->node) || std::holds_alternative<Reduce>(p->node)) {
    const ExprPtr part = ask.inside(p, e, found);
    return part ? unify(instruction, children(*p)[0], part, found, ask) : ask.differ(p, e, found);
  }
  if (const Test *test = std::get_if<Test>(&p->node))
    return ask.is_condition(*test, e, found) || ask.differ(p, e, found);
  for (const ExprPtr &form : ask.forms_of(p, e)) {
    if (!same_operation(p, form))
      continue;
    Found tried = found;
    if (unify_children(instruction, p, form, tried, ask)) {
      found = std::move(tried);
      return true;
    }
  }
  return ask.differ(p, e, found);
}

} // namespace atl::accel
