// Descriptions of hardware: memories, and instructions, whose meaning is elaborated like a kernel.
#include "atl/parse/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

std::string Elaborator::unquoted(const Node &string) const {
  std::string_view quoted = text(string);
  return std::string(quoted.substr(1, quoted.size() - 2));
}

void Elaborator::property(const Node &node, Hardware &into) {
  std::string_view name = text(node.children[0]);
  bool is_list = name == "features";
  if (!is_list && node.children.size() > 2)
    error(Code::syntax_error, node.span, fmt::format("'{}' has one value", name));
  if (is_list)
    for (std::size_t i = 1; i < node.children.size(); ++i)
      into.features.push_back(unquoted(node.children[i]));
  else if (name == "header")
    into.header = unquoted(node.children[1]);
  else if (name == "available")
    into.available = unquoted(node.children[1]);
  else
    error(Code::unknown_name, node.children[0].span, fmt::format("hardware has no property '{}'", name),
          {{std::nullopt, "there are header, available, features, memory and instr"}});
}

Memory Elaborator::memory(const Node &node) {
  Memory result{std::string(text(node.children[0])), node.children[0].span, 0, {}};
  Value count = number(node.children[1], false, node.children[1].span);
  auto registers = count.index ? as_constant(count.index) : std::nullopt;
  if (!registers || *registers < 1)
    error(Code::not_a_constant, node.children[1].span, "the number of registers is a positive integer");
  result.registers = registers.value_or(1);
  for (std::size_t i = 2; i < node.children.size(); ++i) {
    const Node &type = node.children[i];
    if (!result.c_types.emplace(elem(type.children[0]), unquoted(type.children[1])).second)
      error(Code::duplicate_name, type.span,
            fmt::format("'{}' already has a C type in this memory", text(type.children[0])));
  }
  return result;
}

// The memory behind an operand, if there is one.
std::string Elaborator::placed_in(const Node &node, std::size_t child, const Hardware &of) {
  if (node.children.size() <= child)
    return {};
  const Node &word = node.children[child].children[0];
  std::string name(text(word));
  if (!of.find_memory(name))
    error(Code::unknown_name, word.span, fmt::format("{} has no memory '{}'", of.name, name));
  return name;
}

Instruction Elaborator::instruction(const Node &node, const Hardware &of) {
  Names::Mark mark(names_);
  Instruction result{
      {std::string(text(node.children[0])), node.children[0].span, {}, {}, {}, nullptr}, {}, {}, {}};
  const Node &output = node.children[2];
  result.meaning.params = params(node.children[1].children);
  for (const Node &operand : node.children[1].children)
    result.memories.push_back(placed_in(operand, 2, of));
  result.meaning.outputs = {{"out", output.span, type(output.children[0])}};
  result.result_memory = placed_in(output, 1, of);
  check_output_names(result.meaning);
  result.meaning.where = conditions(node.children[3]);
  result.c = unquoted(node.children[4]);
  result.meaning.body = block(node.children[5], false);
  return result;
}

void Elaborator::hardware(const Node &node) {
  Hardware result{std::string(text(node.children[0])), node.children[0].span, {}, {}, {}, {}, {}};
  for (const Hardware &other : program_.hardware)
    if (other.name == result.name)
      error(Code::duplicate_name, result.span, fmt::format("hardware '{}' is already defined", result.name),
            {{other.span, "it is defined here"}});
  std::map<std::string, Span> places;
  auto name_once = [&](const std::string &name, Span span) {
    auto [other, is_new] = places.emplace(name, span);
    if (!is_new)
      error(Code::duplicate_name, span, fmt::format("'{}' is already defined in {}", name, result.name),
            {{other->second, "it is defined here"}});
  };
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const Node &part = node.children[i];
    if (part.kind == Kind::property) {
      property(part, result);
    } else if (part.kind == Kind::memory) {
      result.memories.push_back(memory(part));
      name_once(result.memories.back().name, result.memories.back().span);
    } else {
      result.instructions.push_back(instruction(part, result));
      name_once(result.instructions.back().meaning.name, result.instructions.back().meaning.span);
    }
  }
  program_.hardware.push_back(std::move(result));
}

} // namespace atl::parse

namespace atl {

const Memory *Hardware::find_memory(const std::string &memory) const {
  auto found = std::find_if(memories.begin(), memories.end(),
                            [&](const Memory &candidate) { return candidate.name == memory; });
  return found == memories.end() ? nullptr : &*found;
}

} // namespace atl
