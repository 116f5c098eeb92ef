// Operators: on indices, on conditions, on data. A literal such as 3 can be either index or data, and so can
// 2 + 3.
#include "atl/base/check.h"
#include "atl/parse/elaborate.h"
#include "atl/parse/literal.h"
#include "atl/parse/scan.h"

#include <fmt/format.h>

namespace atl::parse {

static Span cover(Span a, Span b) {
  return {a.file, a.begin, b.end};
}

static ExprPtr operation(std::string_view name, std::vector<ExprPtr> args, Span span) {
  const ScalarOp *op = find_scalar_op(name, static_cast<int>(args.size()));
  ATL_CHECK(op != nullptr, "an operator of the grammar without a scalar operation");
  return make(Op{op, std::move(args)}, span);
}

Value Elaborator::logic(const Node &node, Want want) {
  std::string_view op = node.kind == Kind::conjunction ? "and" : "or";
  std::vector<Operand> operands;
  for (const Node &child : node.children) {
    bool is_chain = op == "and" && child.kind == Kind::comparison; // a chain is a conjunction itself
    std::vector<Operand> parts = is_chain ? links(child, want) : std::vector{operand(child, want)};
    operands.insert(operands.end(), parts.begin(), parts.end());
  }
  return joined(op, operands).value;
}

Elaborator::Operand Elaborator::joined(std::string_view op, const std::vector<Operand> &operands) {
  Operand result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i)
    result = {joined(op, result, operands[i]), cover(result.span, operands[i].span)};
  return result;
}

Value Elaborator::joined(std::string_view op, const Operand &a, const Operand &b) {
  if (a.value.failed() || b.value.failed())
    return {};
  if (a.value.pred && b.value.pred)
    return {nullptr, op == "and" ? conj(a.value.pred, b.value.pred) : disj(a.value.pred, b.value.pred),
            nullptr};
  return {nullptr, nullptr,
          operation(op, {as_data(a.value, a.span), as_data(b.value, b.span)}, cover(a.span, b.span))};
}

Value Elaborator::negation(const Node &node, Want want) {
  const Node &inner = node.children[0];
  Value v = value(inner, want);
  if (v.failed())
    return {};
  if (v.pred)
    return {nullptr, neg(v.pred), nullptr};
  return {nullptr, nullptr, operation("not", {as_data(v, inner.span)}, node.span)};
}

Value Elaborator::negative(const Node &node, Want want) {
  const Node &inner = node.children[0];
  if (inner.kind == Kind::number)
    return number(inner, true, node.span);
  if (inner.kind == Kind::word && is_literal_word(text(inner)))
    if (Literal literal = literal_of_word(text(inner)); literal.is_float)
      return {nullptr, nullptr, make(negated(literal), node.span)};
  Value v = value(inner, want);
  Value result;
  if (v.index)
    result.index = binary(IndexOp::sub, atl::constant(0), v.index);
  if (v.data || v.pred)
    result.data = operation("-", {as_data(v, inner.span)}, node.span);
  return result;
}

// Next to an operand in error a number is not looked at: what is wrong with it may only be that the other one
// is.
Elaborator::Operand Elaborator::next_operand(const Operand &previous, const Node &node, Want want) {
  if (previous.value.failed() && want != Want::data && node.kind == Kind::number)
    return {{}, node.span};
  return operand(node, want);
}

// a < b <= c as a < b, b <= c.
std::vector<Elaborator::Operand> Elaborator::links(const Node &node, Want want) {
  std::vector<Operand> all;
  Operand left = operand(node.children[0], want);
  for (std::size_t i = 1; i + 1 < node.children.size(); i += 2) {
    Operand right = next_operand(left, node.children[i + 1], want);
    all.push_back({compared(text(node.children[i]), left, right), cover(left.span, right.span)});
    left = right;
  }
  return all;
}

Value Elaborator::comparison(const Node &node, Want want) {
  return joined("and", links(node, want)).value;
}

static PredOp comparison_of(std::string_view op) {
  if (op == "<" || op == "<=")
    return op == "<" ? PredOp::lt : PredOp::le;
  if (op == ">" || op == ">=")
    return op == ">" ? PredOp::gt : PredOp::ge;
  return op == "==" ? PredOp::eq : PredOp::ne;
}

Value Elaborator::compared(std::string_view op, const Operand &a, const Operand &b) {
  if (a.value.failed() || b.value.failed())
    return {};
  if (a.value.index && b.value.index)
    return {nullptr, compare(comparison_of(op), a.value.index, b.value.index), nullptr};
  return combined(op, a, b);
}

Value Elaborator::arithmetic(const Node &node, Want want) {
  Operand result = operand(node.children[0], want);
  for (std::size_t i = 1; i + 1 < node.children.size(); i += 2) {
    Operand next = next_operand(result, node.children[i + 1], want);
    result = {combined(text(node.children[i]), result, next), cover(result.span, next.span)};
  }
  return result.value;
}

Value Elaborator::combined(std::string_view op, const Operand &a, const Operand &b) {
  if (a.value.failed() || b.value.failed())
    return {};
  bool a_is_data = a.value.data || a.value.pred, b_is_data = b.value.data || b.value.pred;
  Value result;
  if (std::optional<IndexOp> index_op = find_index_op(op); index_op && a.value.index && b.value.index)
    result.index = binary(*index_op, a.value.index, b.value.index);
  if (a_is_data && b_is_data && op != "cdiv")
    result.data = operation(op, {as_data(a.value, a.span), as_data(b.value, b.span)}, cover(a.span, b.span));
  return result.failed() ? index_and_data(a, b) : result;
}

Value Elaborator::index_and_data(const Operand &a, const Operand &b) {
  bool index_first = a.value.index && !a.value.data;
  const Operand &index = index_first ? a : b, &data = index_first ? b : a;
  return error(
      Code::index_as_data, index.span,
      fmt::format("{} is an index, not data; convert it, as in f32(i) or i32(i)", quoted(index.span)),
      {{data.span, "the other operand is data"}});
}

} // namespace atl::parse
