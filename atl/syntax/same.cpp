#include "atl/syntax/same.h"

namespace atl {

bool same_operation(const ExprPtr &a, const ExprPtr &b) {
  if (a->node.index() != b->node.index())
    return false;
  return match(
      a, [&](const Op &op) { return op.op == std::get<Op>(b->node).op; },
      [&](const Convert &c) {
        const Convert &other = std::get<Convert>(b->node);
        return c.to == other.to && c.mode == other.mode && c.arg->type->elem == other.arg->type->elem;
      },
      [&](const Select &) { return true; }, [&](const Literal &) { return equal(a, b); },
      [&](const auto &) { return false; });
}

bool same_form(const ExprPtr &a, const ExprPtr &b) {
  const std::vector<ExprPtr> own = children(*a);
  return own.size() == children(*b).size() && equal(rebuild(*b, own), a);
}

} // namespace atl
