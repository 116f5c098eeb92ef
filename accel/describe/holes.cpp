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
  return operand.type.shape.size() == 2 && memory_of(instruction, operand.name).empty();
}

// NAME of NAME.stride, if that is what the hole is.
const Param *strided(const Instruction &instruction, const std::string &hole) {
  static const std::string suffix = ".stride";
  const Param *operand = hole.ends_with(suffix)
                             ? find_operand(instruction, hole.substr(0, hole.size() - suffix.size()))
                             : nullptr;
  return operand && has_rows(instruction, *operand) ? operand : nullptr;
}

} // namespace

std::optional<Diagnostic> check_holes(const Instruction &instruction, bool has_out, RowStrides strides) {
  static const std::regex hole(R"(\{([A-Za-z_][A-Za-z_0-9]*(?:\.stride)?)\})");
  const std::string &c = instruction.c;
  std::vector<std::string> used;
  for (std::sregex_iterator i(c.begin(), c.end(), hole), end; i != end; ++i)
    used.push_back((*i)[1]);
  for (const std::string &name : used)
    if (!find_operand(instruction, name) && !(has_out && name == "out") &&
        !(instruction.adds && name == "adds") &&
        !(strides == RowStrides::in_holes && strided(instruction, name)))
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
