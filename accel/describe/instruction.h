// What is asked of one instruction of a description, whether it works on lanes or on blocks.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"

#include <string>
#include <vector>

namespace atl::accel {

const Param *find_operand(const Instruction &instruction, const std::string &name);
const std::string &memory_of(const Instruction &instruction, const std::string &name); // `out`: of the result
Diagnostic bad_instruction(const Instruction &instruction, std::string why);

// What `make` says of each instruction, or all errors.
template <class P, class Make>
Result<std::vector<P>> for_all(const std::vector<TypedInstruction> &instructions, const Make &make) {
  std::vector<P> patterns;
  Diagnostics errors;
  for (const TypedInstruction &instruction : instructions) {
    Result<P> pattern = make(instruction);
    if (pattern)
      patterns.push_back(std::move(*pattern));
    else
      errors.insert(errors.end(), pattern.errors().begin(), pattern.errors().end());
  }
  if (!errors.empty())
    return errors;
  return patterns;
}

} // namespace atl::accel
