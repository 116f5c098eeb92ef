// Descriptions of hardware: memories, and instructions, whose meaning is elaborated like a kernel.
#include "atl/base/check.h"
#include "atl/parse/elaborate.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace atl::parse {

std::string Elaborator::unquoted(const Node &string) const {
  std::string_view quoted = text(string);
  return std::string(quoted.substr(1, quoted.size() - 2));
}

std::string Elaborator::joined(const Node &strings) const {
  std::string all;
  for (const Node &part : strings.children)
    all += unquoted(part);
  return all;
}

// It stands in a line of C among other code, none of which it may hide.
std::string Elaborator::checked_c(std::string c, Span span) {
  for (std::string_view hides : {"//", "/*", "\\", "??", "%:", "#"})
    if (c.find(hides) != std::string::npos)
      error(Code::bad_instruction, span,
            fmt::format("C of a description may not contain {}, which can hide other code", hides));
  return c;
}

std::string Elaborator::c_text(const Node &string) {
  return checked_c(unquoted(string), string.span);
}

void Elaborator::property(const Node &node, Hardware &into) {
  std::string_view name = text(node.children[0]);
  bool is_list = name == "features";
  if (!is_list && node.children.size() > 2)
    error(Code::syntax_error, node.span, fmt::format("'{}' has one value", name));
  if (is_list)
    for (std::size_t i = 1; i < node.children.size(); ++i)
      into.features.push_back(c_text(node.children[i]));
  else if (name == "header")
    into.header = c_text(node.children[1]);
  else if (name == "available")
    into.available = c_text(node.children[1]);
  else if (name == "begin")
    into.begin = c_text(node.children[1]);
  else if (name == "finish")
    into.finish = c_text(node.children[1]);
  else if (name == "prefetch" && unquoted(node.children[1]).find("{address}") == std::string::npos)
    error(Code::bad_instruction, node.span, "its C does not say what is fetched: {address}");
  else if (name == "prefetch")
    into.prefetch = c_text(node.children[1]);
  else
    error(
        Code::unknown_name, node.children[0].span, fmt::format("hardware has no property '{}'", name),
        {{std::nullopt,
          "there are header, available, features, begin, finish, prefetch, memory, cost, config and instr"}});
}

void Elaborator::cost(const Node &node, Hardware &into) {
  constexpr std::int64_t most = 100000;
  const std::string name(text(node.children[0]));
  const CostInfo *info = find_cost(name);
  if (!info) {
    error(Code::unknown_name, node.children[0].span, fmt::format("there is no cost '{}'", name),
          {{std::nullopt, "there are " + names_of_costs()}});
    return;
  }
  into.costs[name] = integer(node.children[1], 0, most, fmt::format("a cost, in {},", info->unit));
}

// From the least to the greatest.
std::int64_t Elaborator::integer(const Node &node, std::int64_t least, std::int64_t greatest,
                                 const std::string &what) {
  Value value = number(node, false, node.span);
  auto known = value.index ? as_constant(value.index) : std::nullopt;
  if (!known || *known < least || *known > greatest)
    error(Code::not_a_constant, node.span,
          fmt::format("{} is an integer from {} to {}", what, least, greatest));
  return known ? std::clamp(*known, least, greatest) : least;
}

// Rows of a bank, of a memory that has few of them.
std::int64_t Elaborator::bank(const Node &node, std::int64_t rows) {
  constexpr std::int64_t most_banks = 64;
  return integer(node, (rows + most_banks - 1) / most_banks, rows, "the number of rows of a bank");
}

Memory Elaborator::memory(const Node &node) {
  Memory result{std::string(text(node.children[0])), node.children[0].span, 0, {}};
  result.registers = integer(node.children[1], 1, INT32_MAX, "the number of registers or rows");
  std::size_t types = 2;
  if (node.children[2].kind == Kind::rows) {
    const Node &rows = node.children[types++];
    result.rows = {integer(rows.children[0], 1, INT32_MAX, "the width of a row"),
                   integer(rows.children[1], 0, UINT32_MAX, "the address of the first row"),
                   rows.children.size() > 2 ? bank(rows.children[2], result.registers) : result.registers};
  }
  for (std::size_t i = types; i < node.children.size(); ++i) {
    const Node &type = node.children[i];
    if (!result.c_types.emplace(elem(type.children[0]), c_text(type.children[1])).second)
      error(Code::duplicate_name, type.span,
            fmt::format("'{}' already has a C type in this memory", text(type.children[0])));
  }
  return result;
}

// The memory behind an operand, if there is one.
std::string Elaborator::placed_in(const Node &node, std::size_t child, const Hardware &of) {
  if (node.children.size() <= child || node.children[child].kind != Kind::memory_name)
    return {};
  return memory_named(node.children[child].children[0], of);
}

std::string Elaborator::memory_named(const Node &word, const Hardware &of) {
  std::string name(text(word));
  if (!of.find_memory(name))
    error(Code::unknown_name, word.span, fmt::format("{} has no memory '{}'", of.name, name));
  return name;
}

// A power of two where the operand has to begin at a multiple of so many bytes; 1 if it may begin anywhere.
std::int64_t Elaborator::alignment(const Node &node, std::size_t child) {
  if (node.children.size() <= child || node.children[child].kind != Kind::aligned)
    return 1;
  const Node &value = node.children[child].children[0];
  const std::int64_t bytes = integer(value, 1, INT32_MAX, "an alignment");
  if (!std::has_single_bit(static_cast<std::uint64_t>(bytes)))
    error(Code::not_a_constant, value.span, "an alignment is a power of two, in bytes");
  return bytes;
}

// A memory, or a configuration.
std::string Elaborator::clobbered(const Node &word, const Hardware &of) {
  const std::string name(text(word));
  const bool is_configuration = std::any_of(of.configurations.begin(), of.configurations.end(),
                                            [&](const Configuration &c) { return c.name == name; });
  return is_configuration ? name : memory_named(word, of);
}

// Of an operand in plain memory that has rows, or of the result.
bool Elaborator::is_distance(const Node &word, const Instruction &of) const {
  const std::string_view name = text(word), suffix = ".stride";
  if (word.kind != Kind::word || !name.ends_with(suffix))
    return false;
  const std::string_view operand = name.substr(0, name.size() - suffix.size());
  if (operand == "out")
    return of.result_memory.empty() && of.meaning.outputs[0].type.shape.size() > 1;
  for (std::size_t i = 0; i < of.memories.size(); ++i)
    if (const Param &param = of.meaning.params[i]; param.name == operand)
      return of.memories[i].empty() && param.type.shape.size() > 1;
  return false;
}

// The distances that conditions mention have a value there, like sizes.
void Elaborator::declare_distances(const Node &node, const Instruction &of) {
  if (is_distance(node, of) && !names_.find(node))
    names_.declare(node, Meaning::Kind::index);
  for (const Node &part : node.children)
    declare_distances(part, of);
}

Instruction Elaborator::instruction(const Node &node, const Hardware &of) {
  Names::Mark mark(names_);
  Instruction result{
      {instruction_name(node.children[0]), node.children[0].span, {}, {}, {}, nullptr}, {}, {}, {}};
  const Node &output = node.children[2];
  result.meaning.params = params(node.children[1].children);
  for (std::size_t i = 0; i < result.meaning.params.size(); ++i) {
    const Node &operand = node.children[1].children[i];
    result.memories.push_back(placed_in(operand, 2, of));
    if (const std::int64_t bytes = alignment(operand, 2); bytes > 1)
      result.aligned[result.meaning.params[i].name] = bytes;
  }
  result.meaning.outputs = {{"out", output.span, type(output.children[0])}};
  result.result_memory = placed_in(output, 1, of);
  if (const std::int64_t bytes = alignment(output, 1); bytes > 1)
    result.aligned["out"] = bytes;
  check_output_names(result.meaning);
  for (std::size_t i = 2; i < output.children.size(); ++i)
    (output.children[i].kind == Kind::adds ? result.adds : result.unordered) = true;
  declare_distances(node.children[3], result);
  result.meaning.where = conditions(node.children[3]);
  for (const Node &needed : node.children[4].children)
    result.needs.push_back(need(needed));
  for (const Node &word : node.children[5].children)
    result.clobbers.push_back(clobbered(word, of));
  result.c = checked_c(spelled(joined(node.children[6])), node.children[6].span);
  result.meaning.body = block(node.children[7], false);
  return result;
}

Need Elaborator::need(const Node &node) {
  Need result{std::string(text(node.children[0])), node.span, {}};
  for (std::size_t i = 1; i < node.children.size(); ++i)
    if (node.children[i].kind == Kind::number)
      result.values.emplace_back(
          integer(node.children[i], 0, INT64_MAX, "a value of a configuration that is no name"));
    else
      result.values.emplace_back(std::string(text(node.children[i])));
  return result;
}

Configuration Elaborator::configuration(const Node &node) {
  Names::Mark mark(names_);
  return {std::string(text(node.children[0])), node.children[0].span, params(node.children[1].children),
          checked_c(joined(node.children[2]), node.children[2].span)};
}

// All of a description that stands before, for another name.
Hardware Elaborator::extended(const Node &base, Hardware into) {
  const std::string name = names_.hardware(base, true);
  auto found = std::find_if(program_.hardware.begin(), program_.hardware.end(),
                            [&](const Hardware &other) { return other.name == name; });
  if (found == program_.hardware.end()) {
    error(Code::unknown_name, base.span, fmt::format("no hardware '{}' is described before", text(base)));
    return into;
  }
  Hardware result = *found;
  result.name = std::move(into.name);
  result.span = into.span;
  result.inherited = result.instructions.size();
  return result;
}

void Elaborator::hardware(const Definition &definition) {
  const Node &node = definition.node;
  Hardware result{names_.unique(definition), node.children[0].span, {}, {}, {}, {}, {}};
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
  std::size_t first = 1;
  if (node.children.size() > 1 && node.children[1].kind == Kind::names) {
    result = extended(node.children[first++].children[0], std::move(result));
    for (const Memory &memory : result.memories)
      places.emplace(memory.name, memory.span);
    for (const Configuration &configuration : result.configurations)
      places.emplace(configuration.name, configuration.span);
    for (const Instruction &instruction : result.instructions)
      places.emplace(instruction.meaning.name, instruction.meaning.span);
  }
  auto add_instruction = [&](const Node &instr) {
    constexpr std::size_t most = 10000;
    if (result.instructions.size() == most)
      error(Code::syntax_error, instr.span,
            fmt::format("{} has more than {} instructions", result.name, most));
    if (result.instructions.size() >= most)
      return;
    result.instructions.push_back(instruction(instr, result));
    name_once(result.instructions.back().meaning.name, result.instructions.back().meaning.span);
  };
  for (std::size_t i = first; i < node.children.size(); ++i) {
    const Node &part = node.children[i];
    if (part.kind == Kind::table) {
      table(part, add_instruction);
    } else if (part.kind == Kind::property) {
      property(part, result);
    } else if (part.kind == Kind::cost) {
      cost(part, result);
    } else if (part.kind == Kind::memory) {
      result.memories.push_back(memory(part));
      name_once(result.memories.back().name, result.memories.back().span);
    } else if (part.kind == Kind::configuration) {
      result.configurations.push_back(configuration(part));
      name_once(result.configurations.back().name, result.configurations.back().span);
    } else {
      add_instruction(part);
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

std::int64_t Hardware::cost(std::string_view which) const {
  if (const auto own = costs.find(std::string(which)); own != costs.end())
    return own->second;
  const CostInfo *info = find_cost(which);
  ATL_CHECK(info, "a cost that is not known");
  return info->by_default;
}

const CostInfo *find_cost(std::string_view name) {
  const auto *found = std::find_if(all_costs.begin(), all_costs.end(),
                                   [&](const CostInfo &info) { return info.name == name; });
  return found == all_costs.end() ? nullptr : found;
}

std::string names_of_costs() {
  std::string names;
  for (const CostInfo &info : all_costs)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  return names;
}

bool Hardware::has_rows() const {
  return std::any_of(memories.begin(), memories.end(),
                     [](const Memory &memory) { return memory.rows.has_value(); });
}

} // namespace atl
