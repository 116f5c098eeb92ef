#include "atl/index/upper_bound.h"

namespace atl {

namespace {

// n - factor * var > 0
struct Room {
  Index n;
  std::int64_t factor = 0; // 0: the condition has another form
};

Room room_of(const Pred &condition, const std::string &var, const Facts &facts) {
  Pred p = positive_form(condition);
  Index low, high;
  switch (p->op) {
  case PredOp::lt: low = p->lhs, high = p->rhs; break;
  case PredOp::le: low = p->lhs, high = add(p->rhs, constant(1)); break;
  case PredOp::gt: low = p->rhs, high = p->lhs; break;
  case PredOp::ge: low = p->rhs, high = add(p->lhs, constant(1)); break;
  default: return {};
  }
  Index room = sub(high, low), at_zero = facts.simplify(substitute(room, {{var, constant(0)}}));
  auto factor = as_constant(facts.simplify(sub(at_zero, substitute(room, {{var, constant(1)}}))));
  if (!factor || *factor == 0)
    return {};
  Index rest = sub(add(room, mul(constant(*factor), variable(var))), at_zero);
  return as_constant(facts.simplify(rest)) == 0 ? Room{at_zero, *factor} : Room{};
}

// e with `name` for var / divisor, whatever the divisor is; it is told what it is, or stays null.
Index with_quotient(const Index &e, const std::string &var, const std::string &name, Index &divisor) {
  if (e->op == IndexOp::constant || e->op == IndexOp::variable)
    return e;
  bool is_quotient = e->op == IndexOp::div && equal(e->a, variable(var)) && as_constant(e->b) &&
                     (!divisor || equal(e->b, divisor));
  if (is_quotient) {
    divisor = e->b;
    return variable(name);
  }
  return binary(e->op, with_quotient(e->a, var, name, divisor), with_quotient(e->b, var, name, divisor));
}

// What var / c must be less than, times c.
Index bound_of_quotient(const Pred &condition, const std::string &var, const Facts &facts) {
  Pred p = positive_form(condition);
  if (!p->lhs || !p->rhs)
    return nullptr;
  Index divisor;
  const std::string name = var + "/";
  Index low = with_quotient(p->lhs, var, name, divisor), high = with_quotient(p->rhs, var, name, divisor);
  if (!divisor || mentions(low, var) || mentions(high, var))
    return nullptr;
  Room room = room_of(compare(p->op, low, high), name, facts);
  return room.factor == 1 ? mul(room.n, divisor) : nullptr;
}

} // namespace

Bound bound_on(const Pred &condition, const std::string &var, const Facts &facts) {
  Room room = room_of(condition, var, facts);
  if (room.factor > 0)
    return {nullptr, facts.simplify(ceil_div(room.n, constant(room.factor)))};
  if (room.factor < 0)
    return {facts.simplify(ceil_div(sub(constant(1), room.n), constant(-room.factor))), nullptr};
  return {};
}

Index upper_bound(const Pred &condition, const std::string &var, const Facts &facts) {
  Room room = room_of(condition, var, facts);
  return room.factor == 1 ? room.n : bound_of_quotient(condition, var, facts);
}

} // namespace atl
