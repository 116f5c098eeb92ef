#include "driver/suits.h"

#include "atl/syntax/path.h"

#include <algorithm>
#include <set>

namespace atl::driver {

namespace {

std::set<Elem> types_in(const TypedKernel &kernel) {
  std::set<Elem> types;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor)
      types.insert(param.type.elem);
  for_each_node(kernel, [&](const Path &, const ExprPtr &e) { types.insert(e->type->elem); });
  return types;
}

bool combines_only(const Instruction &instruction, const std::set<Elem> &types) {
  int tensors = 0;
  for (const Param &param : instruction.meaning.params)
    if (param.kind == Param::Kind::tensor) {
      ++tensors;
      if (!types.contains(param.type.elem))
        return false;
    }
  return tensors > 1;
}

// The instructions of what is extended come first.
bool extends(const Hardware &hardware, const Hardware &other) {
  return hardware.instructions.size() > other.instructions.size() &&
         std::equal(
             other.instructions.begin(), other.instructions.end(), hardware.instructions.begin(),
             [](const Instruction &a, const Instruction &b) { return a.meaning.name == b.meaning.name; });
}

} // namespace

bool adds_to(const Hardware &hardware, const Hardware &other, const TypedKernel &kernel) {
  if (!extends(hardware, other))
    return true;
  const std::set<Elem> types = types_in(kernel);
  return std::any_of(hardware.instructions.begin() + static_cast<std::ptrdiff_t>(other.instructions.size()),
                     hardware.instructions.end(),
                     [&](const Instruction &instruction) { return combines_only(instruction, types); });
}

} // namespace atl::driver
