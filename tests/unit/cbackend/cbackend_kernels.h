// Loop nests built by hand for the tests of the C backend.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::testing {

inline Index ix(const std::string &name) {
  return variable(name);
}
inline Index ix(int value) {
  return constant(value);
}

inline ExprPtr typed(Elem elem, decltype(Expr::node) node) {
  return std::make_shared<const Expr>(Expr{std::move(node), {}, Type{elem, {}}});
}
inline ExprPtr read(Elem elem, const std::string &tensor, std::vector<Index> indices) {
  return typed(elem, Access{tensor, std::move(indices)});
}
inline ExprPtr literal(const Scalar &value) {
  return typed(value.elem, Literal{is_float(value.elem), value.integer, value.real, {}});
}
inline ExprPtr literal(double value) {
  return literal(make_real(Elem::f32, value));
}
inline ExprPtr op(const char *name, std::vector<ExprPtr> args) {
  const ScalarOp *row = find_scalar_op(name, static_cast<int>(args.size()));
  Elem elem = row->result == ResultRule::boolean ? Elem::boolean : args[0]->type->elem;
  return typed(elem, Op{row, std::move(args)});
}

inline lowering::Stmt loop(const std::string &var, Index lo, Index hi, lowering::Block body) {
  return {lowering::For{var, std::move(lo), std::move(hi), std::move(body)}};
}
inline lowering::Stmt when(Pred pred, lowering::Block body) {
  return {lowering::If{std::move(pred), std::move(body)}};
}
inline lowering::Stmt store(const std::string &buffer, std::vector<Index> indices, ExprPtr value,
                            std::optional<Reduction> combine = {}) {
  return {lowering::Store{buffer, std::move(indices), combine, std::move(value), false, {}}};
}
inline lowering::Stmt temporary(const std::string &name, Elem elem, Shape dims,
                                lowering::Alloc::Storage storage, lowering::Block body) {
  return {
      lowering::Alloc{{name, elem, dims, lowering::Buffer::Role::temporary}, dims, storage, std::move(body)}};
}

// A kernel without parameters; add them with the functions below, in the order of the C function.
inline lowering::LoopKernel kernel(const std::string &name, lowering::Block body) {
  lowering::LoopKernel k;
  k.name = name;
  k.body = std::move(body);
  return k;
}
inline void add_size(lowering::LoopKernel &k, const std::string &name, std::int64_t limit = 2147483647) {
  k.params.push_back({Param::Kind::size, name, {}, {Elem::i64, {}}});
  k.assumptions.push_back(compare(PredOp::ge, variable(name), constant(0)));
  k.assumptions.push_back(compare(PredOp::le, variable(name), constant(limit)));
}
inline void add_input(lowering::LoopKernel &k, const std::string &name, Elem elem, const Shape &dims) {
  k.params.push_back({Param::Kind::tensor, name, {}, {elem, dims}});
  k.inputs.push_back({name, elem, dims, lowering::Buffer::Role::input});
}
inline void add_output(lowering::LoopKernel &k, const std::string &name, Elem elem, Shape dims) {
  k.outputs.push_back({name, elem, std::move(dims), lowering::Buffer::Role::output});
}
inline void add_where(lowering::LoopKernel &k, const Pred &pred) {
  k.where.push_back({pred, {}});
  k.assumptions.push_back(pred);
}

lowering::LoopKernel blur();   // two passes, through a heap buffer
lowering::LoopKernel matmul(); // accumulates in a variable

} // namespace atl::testing
