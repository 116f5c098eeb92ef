#include "atl/schedule/auto/operations.h"

namespace atl::schedule {

static std::int64_t weight(const Expr &e, bool on_any_cpu) {
  if (const Op *op = std::get_if<Op>(&e.node)) {
    const bool is_slow = op->op->effort != Effort::little;
    const bool is_long =
        on_any_cpu && op->op->name == "*" && !is_float(e.type->elem) && byte_size(e.type->elem) >= 4;
    return is_slow ? 8 : is_long ? 6 : 1;
  }
  const bool is_simple = std::holds_alternative<Convert>(e.node) || std::holds_alternative<Select>(e.node) ||
                         std::holds_alternative<Reduce>(e.node);
  return is_simple ? 1 : 0;
}

std::int64_t operations_in(const ExprPtr &e, bool on_any_cpu) {
  std::int64_t sum = weight(*e, on_any_cpu);
  for (const ExprPtr &child : children(*e))
    sum += operations_in(child, on_any_cpu);
  return sum;
}

} // namespace atl::schedule
