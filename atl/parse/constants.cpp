// Constants: each is evaluated once, before functions and kernels, and its uses are replaced by its value.
#include "atl/base/check.h"
#include "atl/parse/elaborate.h"
#include "atl/parse/fold.h"
#include "atl/parse/literal.h"

#include <fmt/format.h>

namespace atl::parse {

void Elaborator::constant(const Definition &definition) {
  if (!constants_.contains(&definition)) {
    constants_[&definition] = std::nullopt;
    constants_[&definition] = constant_value(definition);
  }
  program_.constants.push_back(*constants_[&definition]);
}

Constant Elaborator::constant_value(const Definition &definition) {
  const Node &node = definition.node, &value_node = node.children.back();
  Constant result{names_.unique(definition), node.children[0].span, atl::constant(0), std::nullopt};
  if (node.children.size() == 3) {
    result.elem = elem(node.children[1]);
    result.value = data_constant(value_node, *result.elem);
  } else {
    result.value = atl::constant(index_constant(value_node));
  }
  return result;
}

std::int64_t Elaborator::index_constant(const Node &node) {
  std::optional<std::int64_t> value = evaluate(index(node, Want::constant), {});
  if (!value)
    error(Code::not_a_constant, node.span,
          fmt::format("{} divides by zero or exceeds 64 bits", quoted(node.span)));
  return value.value_or(0);
}

ExprPtr Elaborator::data_constant(const Node &node, Elem elem) {
  Value v = value(node, Want::data);
  if (v.failed())
    return make(literal_of(zero(elem)), node.span);
  Result<Scalar> folded = fold(as_data(v, node.span), elem);
  if (!folded)
    for (Diagnostic &diagnostic : folded.errors())
      reporter_.add(std::move(diagnostic));
  return make(literal_of(folded ? *folded : zero(elem)), node.span);
}

Value Elaborator::use_of_constant(const Node &word, const Meaning &meaning) {
  const Definition *definition = meaning.entry->definitions[0];
  auto known = constants_.find(definition);
  if (known == constants_.end()) { // defined further down
    Nesting nesting(*this, 1);
    if (nesting.too_deep())
      return too_deep(word.span);
    constants_[definition] = std::nullopt;
    constants_[definition] = constant_value(*definition);
    known = constants_.find(definition);
  }
  if (!known->second)
    return error(Code::recursive_definition, word.span,
                 fmt::format("the constant '{}' refers to itself", text(word)));
  if (!known->second->elem)
    return {std::get<Index>(known->second->value), nullptr, nullptr};
  const Expr &literal = *std::get<ExprPtr>(known->second->value);
  return {nullptr, nullptr, make(std::get<Literal>(literal.node), word.span)};
}

} // namespace atl::parse
