#include "atl/parse/fold.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

namespace {

Diagnostic not_constant(Span span, std::string_view why) {
  return {Code::not_a_constant, span, std::string(why), {}};
}

// The type that the parts of an expression have by themselves, if any: literals without a suffix take it from
// the others.
std::optional<Elem> own_type(const ExprPtr &e) {
  using Found = std::optional<Elem>;
  auto of_first = [](const std::vector<ExprPtr> &parts) {
    auto typed = std::find_if(parts.begin(), parts.end(),
                              [](const ExprPtr &part) { return own_type(part).has_value(); });
    return typed == parts.end() ? Found() : own_type(*typed);
  };
  if (const Literal *literal = std::get_if<Literal>(&e->node))
    return literal->suffix;
  if (const Op *op = std::get_if<Op>(&e->node))
    return op->op->result == ResultRule::boolean ? Elem::boolean : of_first(op->args);
  if (const Convert *convert = std::get_if<Convert>(&e->node))
    return convert->to;
  if (const FromIndex *from = std::get_if<FromIndex>(&e->node))
    return from->to;
  if (const Select *select = std::get_if<Select>(&e->node))
    return of_first({select->then, select->otherwise});
  return std::holds_alternative<Test>(e->node) ? Found(Elem::boolean) : Found();
}

bool has_float_literal(const ExprPtr &e) {
  if (const Literal *literal = std::get_if<Literal>(&e->node))
    return literal->is_float;
  std::vector<ExprPtr> parts = children(*e);
  return std::any_of(parts.begin(), parts.end(), has_float_literal);
}

Elem type_of(const std::vector<ExprPtr> &operands) {
  for (const ExprPtr &operand : operands)
    if (std::optional<Elem> type = own_type(operand))
      return *type;
  return std::any_of(operands.begin(), operands.end(), has_float_literal) ? Elem::f32 : Elem::i32;
}

Diagnostic mismatch(Span span, std::string_view found, Elem wanted) {
  return {Code::type_mismatch, span, fmt::format("{} where {} is needed", found, name(wanted)), {}};
}

Result<Scalar> checked(const Scalar &value, Elem type, Span span) {
  if (value.elem != type)
    return mismatch(span, name(value.elem), type);
  return value;
}

Result<Scalar> fold_literal(const Literal &literal, Elem type, Span span) {
  Elem own = literal.suffix.value_or(type);
  if (own != type)
    return mismatch(span, name(own), type);
  if (literal.is_float != is_float(own))
    return mismatch(span, literal.is_float ? "a float literal" : "an integer literal", type);
  if (literal.is_float)
    return make_real(own, literal.real);
  if (own != Elem::boolean &&
      (literal.integer < least_integer(own) || literal.integer > greatest_integer(own)))
    return Diagnostic{
        Code::number_too_large, span, fmt::format("{} does not fit {}", literal.integer, name(own)), {}};
  if (own == Elem::boolean && !literal.suffix)
    return mismatch(span, "an integer literal", type);
  return make_integer(own, literal.integer);
}

Result<Scalar> fold_op(const Op &op, Elem type, Span span) {
  Elem operand_type = op.op->result == ResultRule::boolean ? type_of(op.args) : type;
  if (!accepts(op.op->operands, operand_type))
    return Diagnostic{Code::operand_type,
                      span,
                      fmt::format("'{}' is not defined for {}", op.op->name, name(operand_type)),
                      {}};
  std::vector<Scalar> values;
  for (const ExprPtr &arg : op.args) {
    Result<Scalar> value = fold(arg, operand_type);
    if (!value)
      return value;
    values.push_back(*value);
  }
  return checked(op.op->eval(values), type, span);
}

Result<Scalar> fold_select(const Select &select, Elem type) {
  Result<Scalar> cond = fold(select.cond, Elem::boolean);
  if (!cond)
    return cond;
  Result<Scalar> then = fold(select.then, type), otherwise = fold(select.otherwise, type);
  return !then || cond->integer != 0 ? then : otherwise;
}

Result<Scalar> fold_index(const FromIndex &from, Elem type, Span span) {
  std::optional<std::int64_t> value = evaluate(from.value, {});
  if (!value)
    return not_constant(span, "a division by zero, or more than 64 bits");
  return checked(convert({Elem::i64, 0, *value}, from.to, ConvertMode::wrap), type, span);
}

Result<Scalar> fold_test(const Test &test, Elem type, Span span) {
  std::optional<bool> value = evaluate(test.pred, {});
  if (!value)
    return not_constant(span, "a division by zero, or more than 64 bits");
  return checked(make_bool(*value), type, span);
}

} // namespace

Result<Scalar> fold(const ExprPtr &e, Elem type) {
  Span span = e->span;
  if (const Literal *literal = std::get_if<Literal>(&e->node))
    return fold_literal(*literal, type, span);
  if (const Op *op = std::get_if<Op>(&e->node))
    return fold_op(*op, type, span);
  if (const Select *select = std::get_if<Select>(&e->node))
    return fold_select(*select, type);
  if (const FromIndex *from = std::get_if<FromIndex>(&e->node))
    return fold_index(*from, type, span);
  if (const Test *test = std::get_if<Test>(&e->node))
    return fold_test(*test, type, span);
  if (const Convert *conversion = std::get_if<Convert>(&e->node)) {
    Result<Scalar> arg = fold(conversion->arg, type_of({conversion->arg}));
    return arg ? checked(convert(*arg, conversion->to, conversion->mode), type, span) : arg;
  }
  return not_constant(span, "a constant is made of literals, other constants and built-in operations");
}

} // namespace atl::parse
