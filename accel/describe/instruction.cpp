#include "accel/describe/instruction.h"

#include "atl/base/check.h"

#include <algorithm>

namespace atl::accel {

const Param *find_operand(const Instruction &instruction, const std::string &name) {
  const std::vector<Param> &params = instruction.meaning.params;
  auto found = std::find_if(params.begin(), params.end(), [&](const Param &p) { return p.name == name; });
  return found == params.end() ? nullptr : &*found;
}

const std::string &memory_of(const Instruction &instruction, const std::string &name) {
  if (name == "out")
    return instruction.result_memory;
  const Param *operand = find_operand(instruction, name);
  ATL_CHECK(operand, "not an operand: " + name);
  return instruction.memories[static_cast<std::size_t>(operand - instruction.meaning.params.data())];
}

Diagnostic bad_instruction(const Instruction &instruction, std::string why) {
  return {
      Code::bad_instruction,
      instruction.meaning.span,
      std::move(why),
      {{std::nullopt, "the instruction is " + instruction.meaning.name}}}; // its name may come from a table
}

} // namespace atl::accel
