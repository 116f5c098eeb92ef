#include "atl/upper_bound.h"

namespace atl {

Index upper_bound(const Pred &condition, const std::string &var, const Facts &facts) {
  Pred p = positive_form(condition);
  Index low, high;
  switch (p->op) {
  case PredOp::lt: low = p->lhs, high = p->rhs; break;
  case PredOp::le: low = p->lhs, high = add(p->rhs, constant(1)); break;
  case PredOp::gt: low = p->rhs, high = p->lhs; break;
  case PredOp::ge: low = p->rhs, high = add(p->lhs, constant(1)); break;
  default: return nullptr;
  }
  Index room = sub(high, low); // n - var
  Index bound = facts.simplify(substitute(room, {{var, constant(0)}}));
  return as_constant(facts.simplify(sub(add(room, variable(var)), bound))) == 0 ? bound : nullptr;
}

} // namespace atl
