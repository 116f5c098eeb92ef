// Definitions: functions and kernels.
#include "atl/base/spelling.h"
#include "atl/parse/elaborate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace atl::parse {

Program Elaborator::elaborate(const std::vector<Definition> &definitions) {
  for (Kind kind : {Kind::constant, Kind::function, Kind::kernel, Kind::step_definition, Kind::hardware,
                    Kind::schedule}) // constants first: the others use their values
    for (const Definition &definition : definitions) {
      const Node &node = definition.node;
      if (node.kind != kind || reporter_.is_full())
        continue;
      sizes_.push_back({names_.unique(definition), node.children[0].span, 0, 0, {}});
      switch (kind) {
      case Kind::constant: constant(definition); break;
      case Kind::function: function(definition); break;
      case Kind::step_definition: step_definition(definition); break;
      case Kind::schedule: schedule(definition); break;
      case Kind::hardware: hardware(definition); break;
      default: kernel(definition);
      }
    }
  check_calls(sizes_, reporter_);
  return std::move(program_);
}

bool Elaborator::is_size(const Node &param) const {
  return text(param.children[1].children[0]) == "size";
}

Elem Elaborator::elem(const Node &word) {
  std::string_view name = text(word);
  if (std::optional<Elem> known = elem_named(name))
    return *known;
  std::string all;
  for (const ElemInfo &row : elem_table)
    all += fmt::format("{}{}", all.empty() ? "" : ", ", row.name);
  if (name == "size")
    error(Code::wrong_kind_of_name, word.span, "'size' is only for parameters of kernels");
  else
    error(Code::unknown_name, word.span, fmt::format("unknown element type '{}'", name),
          {{std::nullopt, "the element types are " + all}});
  return Elem::f32;
}

Type Elaborator::type(const Node &node) {
  Elem element = elem(node.children[0]);
  return {element, indices(node, 1, node.children.size())};
}

Elem Elaborator::scalar_type(const Node &node) {
  if (node.children.size() > 1)
    error(Code::syntax_error, node.span,
          "functions take and give scalars, without extents; a kernel takes tensors");
  return elem(node.children[0]);
}

void Elaborator::function(const Definition &definition) {
  const Node &node = definition.node;
  Names::Mark mark(names_);
  Function result{names_.unique(definition), node.children[0].span, {}, Elem::f32, nullptr};
  for (const Node &param : node.children[1].children) {
    const Node &word = param.children[0];
    names_.declare(word, Meaning::Kind::data);
    result.params.push_back({std::string(text(word)), word.span, scalar_type(param.children[1])});
  }
  result.result = scalar_type(node.children[2]);
  result.body = data(node.children[3]);
  program_.functions.push_back(std::move(result));
}

Param Elaborator::param(const Node &node) {
  const Node &word = node.children[0], &type_node = node.children[1];
  if (!is_size(node))
    return {Param::Kind::tensor, std::string(text(word)), word.span, type(type_node)};
  if (type_node.children.size() > 1)
    error(Code::syntax_error, type_node.span, "a size has no extents");
  return {Param::Kind::size, std::string(text(word)), word.span, {Elem::i64, {}}};
}

std::vector<Output> Elaborator::outputs(const Node &node) {
  if (node.children[0].kind == Kind::type)
    return {{"out", node.span, type(node.children[0])}};
  std::vector<Output> all;
  for (const Node &output : node.children)
    all.push_back({std::string(text(output.children[0])), output.children[0].span, type(output.children[1])});
  return all;
}

// Names of outputs are not in scope in the body, where a let may well have the same name; but parameters and
// outputs share one argument list.
void Elaborator::check_output_names(const Kernel &kernel) {
  std::map<std::string, Span> taken;
  for (const Param &param : kernel.params)
    taken.emplace(param.name, param.span);
  for (const Output &output : kernel.outputs) {
    auto [other, is_new] = taken.emplace(output.name, output.span);
    if (!is_new)
      error(Code::duplicate_name, output.span,
            fmt::format("'{}' is the name of this output and already defined", output.name),
            {{other->second, fmt::format("'{}' is defined here", output.name)}});
  }
}

// One whose type does not exist may be anything: what uses it is not in error.
Meaning::Kind Elaborator::kind_of_parameter(const Node &param) const {
  if (is_size(param))
    return Meaning::Kind::index;
  return elem_named(text(param.children[1].children[0])) ? Meaning::Kind::data : Meaning::Kind::broken;
}

std::vector<Param> Elaborator::params(const std::vector<Node> &nodes) {
  std::vector<Param> all;
  for (const Node &node : nodes) // before their types, in which any size may stand
    names_.declare(node.children[0], kind_of_parameter(node));
  for (const Node &node : nodes)
    all.push_back(param(node));
  return all;
}

std::vector<Where> Elaborator::conditions(const Node &node) {
  std::vector<Where> all;
  for (const Node &pred : node.children)
    if (pred.kind != Kind::such_as)
      all.push_back({condition(pred, Want::where), pred.span});
  return all;
}

// Each size once.
void Elaborator::such_as(const Node &node, Kernel &kernel) {
  std::map<std::string, std::optional<Span>> given;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      given[param.name] = std::nullopt;
  for (const Node &size : node.children) {
    const Node &word = size.children[0];
    std::string name(text(word));
    const std::optional<std::int64_t> value = evaluate(index(size.children[1]), {});
    if (!value)
      error(Code::not_a_constant, size.children[1].span,
            fmt::format("{} is not a constant integer of 64 bits", quoted(size.children[1].span)));
    auto place = given.find(name);
    if (place == given.end())
      error(Code::unknown_name, word.span, fmt::format("{} has no size '{}'", kernel.name, name));
    else if (place->second)
      error(Code::duplicate_name, word.span, fmt::format("'{}' has a value already", name),
            {{place->second, "it is given here"}});
    else
      place->second = word.span;
    kernel.such_as.push_back({std::move(name), word.span, value.value_or(0)});
  }
  for (const auto &[name, place] : given)
    if (!place)
      error(Code::wrong_argument_count, node.span,
            fmt::format("`such as` names every size of {}, but not '{}'", kernel.name, name));
}

void Elaborator::rounding(const Node &node, Kernel &kernel) {
  for (const Node &word : node.children) {
    const auto meant = rounding_named(text(word));
    if (!meant) {
      std::vector<std::string_view> known;
      for (const RoundingRow &row : roundings)
        known.push_back(row.word);
      const std::string near = closest_name(text(word), known);
      error(Code::syntax_error, word.span, fmt::format("`rounding` knows no '{}'", text(word)),
            {{std::nullopt, near.empty() ? fmt::format("it takes {}", fmt::join(known, ", "))
                                         : fmt::format("did you mean '{}'?", near)}});
    } else {
      kernel.rounding.allowed.insert(*meant);
    }
    kernel.rounding.behind = {word.span.file, word.span.end, word.span.end};
  }
}

void Elaborator::kernel(const Definition &definition) {
  const Node &node = definition.node;
  Names::Mark mark(names_);
  Kernel result{names_.unique(definition), node.children[0].span, {}, {}, {}, nullptr};
  result.params = params(node.children[1].children);
  result.outputs = outputs(node.children[2]);
  check_output_names(result);
  result.where = conditions(node.children[3]);
  if (const auto &parts = node.children[3].children; !parts.empty() && parts.back().kind == Kind::such_as)
    such_as(parts.back(), result);
  rounding(node.children[4], result);
  result.body = block(node.children[5], true);
  if (result.rounding.allowed.empty())
    result.rounding.behind = {node.span.file, node.children[5].span.begin, node.children[5].span.begin};
  result.is_private = definition.is_private;
  program_.kernels.push_back(std::move(result));
}

} // namespace atl::parse
