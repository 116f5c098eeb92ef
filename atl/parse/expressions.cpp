// Expressions: which of the readings (index, condition, data) the text allows, and names.
#include "atl/base/check.h"
#include "atl/parse/elaborate.h"
#include "atl/parse/literal.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

// How many levels a node adds to the tree: chains of operators and loops become nested. A block counts its
// lets itself.
static std::size_t levels(const Node &node) {
  switch (node.kind) {
  case Kind::word:
  case Kind::number:
  case Kind::parens:
  case Kind::block: return 0;
  case Kind::comparison:
  case Kind::sum:
  case Kind::product: return node.children.size() / 2;
  case Kind::disjunction:
  case Kind::concat: return node.children.size() - 1;
  case Kind::conjunction: { // the links of comparisons join it
    std::size_t links = 0;
    for (const Node &child : node.children)
      links += child.kind == Kind::comparison ? child.children.size() / 2 : 1;
    return links;
  }
  case Kind::gen: return node.children[1].children.size();
  case Kind::reduce: return node.children[2].children.size();
  default: return 1;
  }
}

Elaborator::Nesting::Nesting(Elaborator &elaborator, std::size_t levels)
    : elaborator_(elaborator), levels_(static_cast<int>(std::min<std::size_t>(levels, depth_limit + 1))) {
  elaborator_.depth_ += levels_;
  DefinitionSize &size = elaborator_.sizes_.back();
  ++size.parts;
  size.depth = std::max(size.depth, elaborator_.depth_);
}

Value Elaborator::too_deep(Span span) {
  return error(Code::too_deep, span,
               fmt::format("more than {} operators, lets and forms are nested here", depth_limit));
}

Value Elaborator::value(const Node &node, Want want) {
  Nesting nesting(*this, levels(node));
  if (nesting.too_deep())
    return too_deep(node.span);
  Value v = want == Want::step ? reading_of_step(node) : reading(node, want);
  bool only_data = v.data && !v.index && !v.pred;
  return only_data && want != Want::data ? data_in_index(node, want) : v;
}

Value Elaborator::reading(const Node &node, Want want) {
  auto as_value = [](ExprPtr e) { return Value{nullptr, nullptr, std::move(e)}; };
  switch (node.kind) {
  case Kind::disjunction:
  case Kind::conjunction: return logic(node, want);
  case Kind::negation: return negation(node, want);
  case Kind::comparison: return comparison(node, want);
  case Kind::sum:
  case Kind::product: return arithmetic(node, want);
  case Kind::negative: return negative(node, want);
  case Kind::guard: return as_value(guard(node));
  case Kind::reshape: return as_value(reshape(node));
  case Kind::gen: return as_value(gen(node));
  case Kind::reduce: return as_value(reduce(node));
  case Kind::concat: return as_value(concat(node));
  case Kind::block: return as_value(block(node, false));
  case Kind::access: return access(node);
  case Kind::call: return call(node, want);
  case Kind::word: return word(node, want);
  case Kind::number: return number(node, false, node.span);
  case Kind::parens:
    if (node.children.size() > 1)
      return error(Code::syntax_error, node.span, "a tuple can only be the result of a kernel");
    return value(node.children[0], want);
  default: ATL_CHECK(false, "a parse-tree node that is no expression");
  }
}

Value Elaborator::error(Code code, Span span, std::string message, std::vector<Note> notes) {
  reporter_.report(code, span, std::move(message), std::move(notes));
  return {};
}

std::string Elaborator::quoted(Span span) const {
  std::string_view source = sources_.text(span);
  return describe(source.substr(0, source.find_first_of("\r\n")));
}

Index Elaborator::index(const Node &node, Want want) {
  Value v = value(node, want);
  if (!v.failed() && !v.index)
    error(Code::syntax_error, node.span, "expected an index, found a condition");
  return v.index ? v.index : atl::constant(0);
}

std::vector<Index> Elaborator::indices(const Node &node, std::size_t first, std::size_t last) {
  std::vector<Index> all;
  for (std::size_t i = first; i < last; ++i)
    all.push_back(index(node.children[i]));
  return all;
}

Pred Elaborator::condition(const Node &node, Want want) {
  Value v = value(node, want);
  if (!v.failed() && !v.pred)
    error(Code::syntax_error, node.span, "expected a condition such as i < N");
  return v.pred ? v.pred : truth(true);
}

ExprPtr Elaborator::data(const Node &node) {
  return as_data(value(node, Want::data), node.span);
}

ExprPtr Elaborator::as_data(const Value &v, Span span) {
  if (v.data)
    return v.data;
  if (v.pred && v.pred->op == PredOp::truth)
    return make(Literal{false, v.pred->value ? 1 : 0, 0, Elem::boolean}, span);
  if (v.pred)
    return make(Test{v.pred}, span);
  if (v.index)
    error(Code::index_as_data, span,
          fmt::format("{} is an index, not data; convert it, as in f32(i) or i32(i)", quoted(span)));
  return placeholder(span);
}

ExprPtr Elaborator::placeholder(Span span) const {
  return make(Literal{false, 0, 0, std::nullopt}, span);
}

Value Elaborator::data_in_index(const Node &node, Want want) {
  std::string what = quoted(node.span);
  switch (want) {
  case Want::guard:
    return error(
        Code::data_as_index, node.span,
        fmt::format("{} is data; a guard is made of loop variables, sizes and integers", what),
        {{std::nullopt, "a choice that depends on data is written select(condition, value, other)"}});
  case Want::where:
    return error(Code::data_as_index, node.span,
                 fmt::format("{} is data; a where clause is made of sizes and integers", what));
  case Want::step:
    return error(Code::data_in_step, node.span,
                 fmt::format("{} is data; a step is made of names, integers and conditions", what));
  case Want::constant:
    return error(Code::not_a_constant, node.span,
                 fmt::format("{} is data; a constant without an element type is an integer", what),
                 {{std::nullopt, "with an element type: const NAME: f32 = ...;"}});
  default:
    return error(Code::data_as_index, node.span,
                 fmt::format("{} is data; an index is made of loop variables, sizes and integers", what));
  }
}

Value Elaborator::number(const Node &node, bool negative, Span span) {
  Result<Literal> literal = parse_number(text(node), negative, span);
  if (!literal) {
    for (Diagnostic &diagnostic : literal.errors())
      reporter_.add(std::move(diagnostic));
    return {};
  }
  bool is_index = !literal->is_float && !literal->suffix;
  return {is_index ? atl::constant(literal->integer) : nullptr, nullptr, make(*literal, span)};
}

Value Elaborator::literal_word(const Node &node) const {
  Literal literal = literal_of_word(text(node));
  return {nullptr, literal.is_float ? nullptr : truth(literal.integer != 0), make(literal, node.span)};
}

Value Elaborator::word(const Node &node, Want want) {
  std::string_view name = text(node);
  if (is_literal_word(name))
    return literal_word(node);
  if (want == Want::step)
    return word_of_step(node);
  if (is_built_in(name))
    return error(Code::wrong_kind_of_name, node.span,
                 fmt::format("'{0}' is built in and needs arguments: {0}(...)", name));
  std::optional<Meaning> meaning = names_.find(node);
  if (!meaning) {
    names_.report_unknown(node, false);
    return {};
  }
  switch (meaning->kind) {
  case Meaning::Kind::index: return {variable(std::string(name)), nullptr, nullptr};
  case Meaning::Kind::data: return {nullptr, nullptr, make(Access{std::string(name), {}}, node.span)};
  case Meaning::Kind::constant: return use_of_constant(node, *meaning);
  default: return wrong_kind(node, *meaning);
  }
}

Value Elaborator::access(const Node &node) {
  const Node &tensor = node.children[0];
  std::vector<Index> at = indices(node, 1, node.children.size());
  std::optional<Meaning> meaning = names_.find(tensor);
  if (!meaning && !is_built_in(text(tensor))) {
    names_.report_unknown(tensor, false);
    return {};
  }
  if (meaning && meaning->kind == Meaning::Kind::data)
    return {nullptr, nullptr, make(Access{std::string(text(tensor)), std::move(at)}, node.span)};
  return wrong_kind(tensor, meaning.value_or(Meaning{Meaning::Kind::function, tensor.span}));
}

Value Elaborator::wrong_kind(const Node &word, const Meaning &meaning) {
  std::string_view name = text(word);
  auto wrong = [&](std::string message) {
    return error(Code::wrong_kind_of_name, word.span, std::move(message), names_.note_hidden(word));
  };
  switch (meaning.kind) {
  case Meaning::Kind::index:
    return wrong(fmt::format("'{}' is an index: it has no elements and cannot be called", name));
  case Meaning::Kind::data:
    return wrong(fmt::format("'{0}' is data, not a function or kernel; its elements are {0}[...]", name));
  case Meaning::Kind::constant:
    return wrong(fmt::format("'{}' is a constant: it has no elements and cannot be called", name));
  case Meaning::Kind::function:
    return wrong(fmt::format("'{0}' is a function; a call is written {0}(...)", name));
  case Meaning::Kind::kernel:
    return wrong(fmt::format("'{0}' is a kernel; a call is written {0}(...)", name));
  case Meaning::Kind::ambiguous: return names_.report_ambiguous(word), Value();
  case Meaning::Kind::broken: return {};
  }
  ATL_CHECK(false, "a kind of name without a message");
}

} // namespace atl::parse
