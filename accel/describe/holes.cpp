#include "accel/describe/holes.h"

#include "accel/describe/instruction.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

namespace atl::accel {

namespace {

bool is_needed(const Instruction &instruction, const std::string &name) {
  return std::any_of(instruction.needs.begin(), instruction.needs.end(), [&](const Need &need) {
    return std::find(need.values.begin(), need.values.end(), std::variant<std::int64_t, std::string>(name)) !=
           need.values.end();
  });
}

bool has_rows(const Instruction &instruction, const Param &operand) {
  return operand.type.shape.size() > 1 && memory_of(instruction, operand.name).empty();
}

bool out_has_rows(const Instruction &instruction) {
  return instruction.meaning.outputs[0].type.shape.size() > 1 && instruction.result_memory.empty();
}

// NAME of NAME.stride, if that is what the hole is.
const Param *strided(const Instruction &instruction, const std::string &hole) {
  static const std::string suffix = ".stride";
  const Param *operand = hole.ends_with(suffix)
                             ? find_operand(instruction, hole.substr(0, hole.size() - suffix.size()))
                             : nullptr;
  return operand && has_rows(instruction, *operand) ? operand : nullptr;
}

std::vector<std::string> holes_in(const std::string &c) {
  static const std::regex hole(R"(\{([A-Za-z_][A-Za-z_0-9]*(?:\.stride)?)\})");
  std::vector<std::string> names;
  for (std::sregex_iterator i(c.begin(), c.end(), hole), end; i != end; ++i)
    names.push_back((*i)[1]);
  return names;
}

} // namespace

std::optional<Diagnostic> check_holes(const Configuration &configuration) {
  auto bad = [&](std::string why) {
    return Diagnostic{Code::bad_instruction, configuration.span, std::move(why), {}};
  };
  const std::vector<std::string> used = holes_in(configuration.c);
  auto is_field = [&](const std::string &name) {
    return std::any_of(configuration.params.begin(), configuration.params.end(),
                       [&](const Param &param) { return param.name == name; });
  };
  for (const std::string &name : used)
    if (!is_field(name))
      return bad(fmt::format("its C has the hole {{{}}}, which is no field", name));
  for (const Param &param : configuration.params)
    if (std::find(used.begin(), used.end(), param.name) == used.end())
      return bad(fmt::format("its C does not set the field {}", param.name));
  return std::nullopt;
}

std::optional<Diagnostic> check_holes(const Instruction &instruction, bool has_out, RowStrides strides) {
  const std::vector<std::string> used = holes_in(instruction.c);
  for (const std::string &name : used)
    if (!find_operand(instruction, name) && !(has_out && name == "out") &&
        !(instruction.adds && name == "adds") && !strided(instruction, name) &&
        !(has_out && name == "out.stride" && out_has_rows(instruction)))
      return bad_instruction(instruction,
                             fmt::format("its C has the hole {{{}}}, which is no operand", name));
  auto is_used = [&](const std::string &name) {
    return std::find(used.begin(), used.end(), name) != used.end();
  };
  for (const Param &param : instruction.meaning.params)
    if (!is_used(param.name) && !is_needed(instruction, param.name))
      return bad_instruction(instruction, fmt::format("its C does not use the operand {}", param.name));
  if (strides == RowStrides::in_holes)
    for (const Param &param : instruction.meaning.params)
      if (has_rows(instruction, param) && !is_used(param.name + ".stride"))
        return bad_instruction(instruction,
                               fmt::format("its C does not say how far apart the rows of {0} lie: "
                                           "{{{0}.stride}}",
                                           param.name));
  if (has_out && !is_used("out"))
    return bad_instruction(instruction, "its C does not say where the result is stored: {out}");
  return std::nullopt;
}

} // namespace atl::accel
