#include "proofs/refute/exact.h"

#include "atl/base/check.h"

namespace atl::proofs {

namespace {

BigInt floor_quotient(const BigInt &a, const BigInt &b) {
  BigInt quotient = a / b; // rounds towards zero
  return a % b < 0 ? BigInt(quotient - 1) : quotient;
}

std::optional<BigInt> operation(IndexOp op, const BigInt &a, const BigInt &b) {
  switch (op) {
  case IndexOp::add: return BigInt(a + b);
  case IndexOp::sub: return BigInt(a - b);
  case IndexOp::mul: return BigInt(a * b);
  case IndexOp::min: return a < b ? a : b;
  case IndexOp::max: return a < b ? b : a;
  default: break;
  }
  if (b <= 0)
    return std::nullopt;
  switch (op) {
  case IndexOp::div: return floor_quotient(a, b);
  case IndexOp::cdiv: return floor_quotient(a + b - 1, b);
  case IndexOp::mod: return BigInt(a - b * floor_quotient(a, b));
  default: ATL_CHECK(false, "not a binary index operation");
  }
}

} // namespace

std::optional<BigInt> exact_value(const Index &e, const Valuation &values) {
  if (e->op == IndexOp::constant)
    return BigInt(e->value);
  if (e->op == IndexOp::variable) {
    auto found = values.find(e->name);
    return found == values.end() ? std::nullopt : std::optional(BigInt(found->second));
  }
  auto a = exact_value(e->a, values), b = exact_value(e->b, values);
  return a && b ? operation(e->op, *a, *b) : std::nullopt;
}

std::optional<bool> exact_value(const Pred &p, const Valuation &values) {
  if (p->op == PredOp::truth)
    return p->value;
  if (p->op == PredOp::neg) {
    auto a = exact_value(p->a, values);
    return a ? std::optional(!*a) : std::nullopt;
  }
  if (p->op == PredOp::conj || p->op == PredOp::disj) { // the left side may decide alone, as in evaluate()
    auto a = exact_value(p->a, values);
    bool decided = p->op == PredOp::disj;
    return !a || *a == decided ? a : exact_value(p->b, values);
  }
  auto x = exact_value(p->lhs, values), y = exact_value(p->rhs, values);
  return x && y ? std::optional(holds(p->op, *x, *y)) : std::nullopt;
}

} // namespace atl::proofs
