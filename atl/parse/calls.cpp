// Calls: conversions, built-in operations, functions and kernels.
#include "atl/parse/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

static Value data_value(ExprPtr e) {
  return {nullptr, nullptr, std::move(e)};
}

Value Elaborator::call(const Node &node, Want want) {
  const Node &callee = node.children[0];
  std::string_view name = text(callee);
  if (std::optional<Elem> to = elem_named(name))
    return conversion(node, *to, ConvertMode::wrap);
  if (std::optional<Elem> to = elem_named(name.substr(std::min<std::size_t>(4, name.size())));
      to && name.starts_with("sat_"))
    return conversion(node, *to, ConvertMode::saturate);
  if (name == "select")
    return select(node);
  if (name == "cdiv" || name == "min" || name == "max")
    return index_operation(node, want);
  if (is_built_in(name))
    return scalar_operation(node);
  std::optional<Meaning> meaning = names_.find(callee);
  bool callable =
      meaning && (meaning->kind == Meaning::Kind::function || meaning->kind == Meaning::Kind::kernel);
  if (callable)
    return definition_call(node, *meaning);
  for (std::size_t i = 1; i < node.children.size(); ++i) // for the errors in them
    value(node.children[i], Want::data);
  if (meaning)
    return wrong_kind(callee, *meaning);
  names_.report_unknown(callee, true);
  return {};
}

bool Elaborator::has_arguments(const Node &node, std::size_t expected, std::vector<Note> notes) {
  std::size_t given = node.children.size() - 1;
  if (given != expected)
    error(Code::wrong_argument_count, node.span,
          fmt::format("'{}' takes {} argument{}, not {}", text(node.children[0]), expected,
                      expected == 1 ? "" : "s", given),
          std::move(notes));
  return given == expected;
}

Value Elaborator::conversion(const Node &node, Elem to, ConvertMode mode) {
  if (!has_arguments(node, 1))
    return {};
  const Node &arg = node.children[1];
  Value v = value(arg, Want::data);
  if (v.failed())
    return {};
  if (v.index && mode == ConvertMode::wrap)
    return data_value(make(FromIndex{to, v.index}, node.span));
  if (v.index) { // to saturate an index is to clamp it
    Index clamped = is_float(to) ? v.index
                                 : binary(IndexOp::max, atl::constant(least_integer(to)),
                                          binary(IndexOp::min, v.index, atl::constant(greatest_integer(to))));
    return data_value(make(FromIndex{to, clamped}, node.span));
  }
  return data_value(make(Convert{mode, to, as_data(v, arg.span)}, node.span));
}

Value Elaborator::select(const Node &node) {
  if (!has_arguments(node, 3))
    return {};
  Select parts{data(node.children[1]), data(node.children[2]), data(node.children[3])};
  return data_value(make(std::move(parts), node.span));
}

Value Elaborator::index_operation(const Node &node, Want want) {
  if (!has_arguments(node, 2))
    return {};
  std::string_view name = text(node.children[0]);
  Want operands = name == "cdiv" && want != Want::step ? Want::index : want;
  Operand a = operand(node.children[1], operands);
  Operand b = operand(node.children[2], operands);
  Value v = combined(name, a, b);
  if (v.data)
    v.data = make(Op(std::get<Op>(v.data->node)), node.span); // with the place of the whole call
  return v;
}

Value Elaborator::scalar_operation(const Node &node) {
  std::string_view name = text(node.children[0]);
  std::span<const ScalarOp> all = scalar_ops();
  auto op = std::find_if(all.begin(), all.end(), [&](const ScalarOp &row) { return row.name == name; });
  if (op == all.end())
    return error(Code::wrong_kind_of_name, node.children[0].span, fmt::format("'{}' cannot be called", name));
  if (!has_arguments(node, static_cast<std::size_t>(op->arity)))
    return {};
  std::vector<ExprPtr> args;
  for (std::size_t i = 1; i < node.children.size(); ++i)
    args.push_back(data(node.children[i]));
  return data_value(make(Op{&*op, std::move(args)}, node.span));
}

Value Elaborator::definition_call(const Node &node, const Meaning &callee) {
  const std::vector<Node> &params = callee.node().children[1].children;
  names_.use(*callee.entry);
  Call result{callee.entry->unique, {}};
  sizes_.back().calls.push_back({result.callee, node.span});
  if (!has_arguments(node, params.size(), {{callee.node().children[1].span, "these are its parameters"}}))
    return {};
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Node &arg = node.children[i + 1];
    if (is_size(params[i]))
      result.args.emplace_back(index(arg));
    else
      result.args.emplace_back(data(arg));
  }
  return data_value(make(std::move(result), node.span));
}

} // namespace atl::parse
