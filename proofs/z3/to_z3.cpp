#include "proofs/z3/to_z3.h"

#include "atl/base/check.h"

#include <algorithm>

namespace atl::proofs {

z3::expr Encoder::variable(const std::string &name) {
  auto known = variables_.find(name);
  if (known == variables_.end())
    known = variables_.emplace(name, context_.int_const(name.c_str())).first;
  return known->second;
}

z3::expr Encoder::encode(const Index &e) {
  if (e->op == IndexOp::constant)
    return context_.int_val(e->value);
  if (e->op == IndexOp::variable)
    return variable(e->name);
  z3::expr a = encode(e->a), b = encode(e->b);
  if (e->op == IndexOp::add)
    return a + b;
  if (e->op == IndexOp::sub)
    return a - b;
  ATL_CHECK(e->op == IndexOp::mul, "not a pure index expression");
  return a * b;
}

z3::expr Encoder::encode(const Pred &p) {
  switch (p->op) {
  case PredOp::truth: return context_.bool_val(p->value);
  case PredOp::neg: return !encode(p->a);
  case PredOp::conj: return encode(p->a) && encode(p->b);
  case PredOp::disj: return encode(p->a) || encode(p->b);
  default: break;
  }
  z3::expr a = encode(p->lhs), b = encode(p->rhs);
  switch (p->op) {
  case PredOp::lt: return a < b;
  case PredOp::le: return a <= b;
  case PredOp::gt: return a > b;
  case PredOp::ge: return a >= b;
  case PredOp::eq: return a == b;
  default: break;
  }
  ATL_CHECK(p->op == PredOp::ne, "not a comparison");
  return a != b;
}

Linearizer::Linearizer(z3::context &context)
    : context_(context), distribute_(context), products_(context), stand_ins_(context), alive_(context) {
  distribute_.set("som", true);
}

static bool is_product_of_variables(const z3::expr &e) {
  if (!e.is_app())
    return false;
  Z3_decl_kind kind = e.decl().decl_kind();
  if (kind == Z3_OP_POWER)
    return true;
  unsigned factors = 0;
  for (unsigned i = 0; kind == Z3_OP_MUL && i < e.num_args(); ++i)
    factors += e.arg(i).is_numeral() ? 0 : 1;
  return factors > 1;
}

// The products x * y and y * x are one; a product with a number is that number times the product without it.
z3::expr Linearizer::stand_in(const z3::expr &product) {
  z3::expr scale = context_.int_val(1);
  std::vector<unsigned> factors;
  bool is_power = product.decl().decl_kind() == Z3_OP_POWER;
  for (unsigned i = 0; i < product.num_args(); ++i) {
    z3::expr factor = product.arg(i);
    if (!is_power && factor.is_numeral())
      scale = factor;
    else
      factors.push_back(factor.id());
  }
  if (!is_power)
    std::sort(factors.begin(), factors.end());
  auto known = by_factors_.find(factors);
  if (known == by_factors_.end()) {
    std::string name = "product!" + std::to_string(by_factors_.size() + 1);
    known = by_factors_.emplace(factors, context_.int_const(name.c_str())).first;
  }
  return scale * known->second;
}

void Linearizer::collect_products(const z3::expr &e) {
  if (!seen_.insert(e.id()).second)
    return;
  if (is_product_of_variables(e)) {
    products_.push_back(e);
    stand_ins_.push_back(stand_in(e));
    return;
  }
  for (unsigned i = 0; i < e.num_args(); ++i)
    collect_products(e.arg(i));
}

z3::expr Linearizer::linear(const z3::expr &formula) {
  if (auto known = linear_.find(formula.id()); known != linear_.end())
    return known->second;
  z3::expr distributed = formula.simplify(distribute_);
  alive_.push_back(formula);
  alive_.push_back(distributed);
  collect_products(distributed);
  return linear_.emplace(formula.id(), distributed.substitute(products_, stand_ins_)).first->second;
}

} // namespace atl::proofs
