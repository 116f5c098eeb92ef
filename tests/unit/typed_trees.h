// Typed syntax trees made by hand, as the checker would make them: each builder works out the type of its
// node.
#pragma once
#include "atl/base/check.h"
#include "atl/meaning/tensor.h"
#include "atl/syntax/expr.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/typed.h"

namespace atl::trees {

inline Index n(std::int64_t value) {
  return constant(value);
}
inline Index v(const std::string &name) {
  return variable(name);
}
inline const Shape &shape(const ExprPtr &e) {
  return e->type->shape;
}

inline ExprPtr real(double value, Elem elem = Elem::f32) {
  return make(Literal{true, 0, value, {}}, {}, Type{elem, {}});
}
inline ExprPtr whole(std::int64_t value, Elem elem = Elem::i32) {
  return make(Literal{false, value, 0, {}}, {}, Type{elem, {}});
}
inline ExprPtr at(const std::string &tensor, std::vector<Index> indices, Elem elem = Elem::f32) {
  return make(Access{tensor, std::move(indices)}, {}, Type{elem, {}});
}
inline ExprPtr op(std::string_view name, std::vector<ExprPtr> args) {
  const ScalarOp *row = find_scalar_op(name, static_cast<int>(args.size()));
  ATL_CHECK(row, "no such operation");
  Elem elem = row->result == ResultRule::boolean ? Elem::boolean : args[0]->type->elem;
  return make(Op{row, std::move(args)}, {}, Type{elem, {}});
}
inline ExprPtr to(Elem elem, ExprPtr e, ConvertMode mode = ConvertMode::wrap) {
  return make(Convert{mode, elem, std::move(e)}, {}, Type{elem, {}});
}
inline ExprPtr select(ExprPtr cond, ExprPtr then, ExprPtr otherwise) {
  Type type = *then->type;
  return make(Select{std::move(cond), std::move(then), std::move(otherwise)}, {}, type);
}
inline ExprPtr from_index(Index value, Elem elem = Elem::f32) {
  return make(FromIndex{elem, std::move(value)}, {}, Type{elem, {}});
}
inline ExprPtr test(Pred pred) {
  return make(Test{std::move(pred)}, {}, Type{Elem::boolean, {}});
}

inline ExprPtr gen(const std::string &var, Index lo, Index hi, ExprPtr body) {
  Type type = *body->type;
  type.shape.insert(type.shape.begin(), sub(hi, lo));
  return make(Gen{var, std::move(lo), std::move(hi), std::move(body)}, {}, type);
}
inline ExprPtr gen(const std::string &var, Index hi, ExprPtr body) {
  return gen(var, n(0), std::move(hi), std::move(body));
}
inline ExprPtr reduce(Reduction reduction, const std::string &var, Index lo, Index hi, ExprPtr body) {
  Type type = *body->type;
  return make(Reduce{reduction, var, std::move(lo), std::move(hi), std::move(body)}, {}, type);
}
inline ExprPtr sum(const std::string &var, Index hi, ExprPtr body) {
  return reduce(Reduction::sum, var, n(0), std::move(hi), std::move(body));
}
inline ExprPtr guard(Pred pred, ExprPtr body) {
  Type type = *body->type;
  return make(Guard{std::move(pred), std::move(body)}, {}, type);
}
inline ExprPtr let(const std::string &name, ExprPtr bound, ExprPtr body) {
  Type type = *body->type;
  return make(Let{{name}, std::move(bound), std::move(body)}, {}, type);
}
inline ExprPtr concat(ExprPtr left, ExprPtr right) {
  Type type = *left->type;
  type.shape[0] = add(type.shape[0], shape(right)[0]);
  return make(Concat{std::move(left), std::move(right)}, {}, type);
}
inline ExprPtr reshape(const ReshapeOp &op, std::vector<Index> args, ExprPtr child) {
  Type type{child->type->elem, op.shape(args, shape(child))};
  return make(Reshape{&op, std::move(args), std::move(child)}, {}, type);
}

inline Param size_param(const std::string &name) {
  return {Param::Kind::size, name, {}, {}};
}
inline Param tensor_param(const std::string &name, Elem elem, Shape extents) {
  return {Param::Kind::tensor, name, {}, {elem, std::move(extents)}};
}

// A kernel with one output, "out", of the shape of its result.
inline TypedKernel kernel(std::vector<Param> params, ExprPtr result) {
  TypedKernel k;
  k.name = "k";
  k.params = std::move(params);
  k.outputs = {{"out", {}, *result->type}};
  k.results = {std::move(result)};
  return k;
}

template <class T>
Tensor tensor_of(Elem elem, std::vector<std::int64_t> extents, const std::vector<T> &values) {
  Tensor t = make_tensor(elem, std::move(extents));
  ATL_CHECK(t.element_count() == static_cast<std::int64_t>(values.size()), "as many values as cells");
  for (std::size_t i = 0; i < values.size(); ++i)
    t.set(static_cast<std::int64_t>(i), is_float(elem)
                                            ? make_real(elem, static_cast<double>(values[i]))
                                            : make_integer(elem, static_cast<std::int64_t>(values[i])));
  return t;
}
inline Tensor floats(std::vector<std::int64_t> extents, const std::vector<double> &values) {
  return tensor_of(Elem::f32, std::move(extents), values);
}

// The elements as doubles, for comparison.
inline std::vector<double> elements(const Tensor &t) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    all.push_back(is_float(t.elem) ? t.get(i).real : static_cast<double>(t.get(i).integer));
  return all;
}

} // namespace atl::trees
