#include "lowering/verify/called.h"

#include "atl/base/check.h"

#include <algorithm>

namespace atl::lowering {

namespace {

using Distances = std::map<std::string, Index>; // x.stride, x.block

const Type &type_of(const Instruction &instruction, const std::string &operand) {
  for (const Param &param : instruction.meaning.params)
    if (param.name == operand)
      return param.type;
  ATL_CHECK(operand == instruction.meaning.outputs.at(0).name, "an operand without a type: " + operand);
  return instruction.meaning.outputs[0].type;
}

std::string memory_of(const Instruction &instruction, const std::string &operand) {
  for (std::size_t i = 0; i < instruction.meaning.params.size(); ++i)
    if (instruction.meaning.params[i].name == operand)
      return instruction.memories.at(i);
  return instruction.result_memory;
}

template <class Operands>
Subst sizes_of(const Operands &operands) {
  Subst sizes;
  for (const auto &[name, operand] : operands)
    if (const Index *size = std::get_if<Index>(&operand); size && name.find('.') == std::string::npos)
      sizes[name] = *size;
  return sizes;
}

void add_operand(Called &to, const std::string &name, const std::variant<FirstElement, RowBlock> &at,
                 const Distances &distances) {
  const Type &type = type_of(*to.instruction, name);
  Shape shape;
  for (const Index &extent : type.shape)
    shape.push_back(substitute(extent, to.sizes));
  const bool is_plain = std::holds_alternative<FirstElement>(at);
  auto told = distances.find(name + (is_plain ? ".stride" : ".block"));
  Index distance = told == distances.end() ? nullptr : told->second;
  if (!distance && is_plain)
    distance = mul(shape.back(), constant(static_cast<std::int64_t>(byte_size(type.elem))));
  to.operands.push_back(
      {name, type.elem, std::move(shape), at, memory_of(*to.instruction, name), std::move(distance)});
}

void collect(const LaneCall &call, std::vector<Called> &into) {
  Called result{call.instruction, sizes_of(call.operands), {}, {}};
  Distances strides;
  for (const auto &[name, operand] : call.operands)
    if (const Index *number = std::get_if<Index>(&operand);
        number && call.instruction->c.find("{" + name + "}") != std::string::npos)
      strides[name] = *number;
  for (const auto &[name, operand] : call.operands) {
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      collect(**inner, into);
    if (const FirstElement *first = std::get_if<FirstElement>(&operand))
      add_operand(result, name, *first, strides);
    if (const ExprPtr *scalar = std::get_if<ExprPtr>(&operand))
      result.scalars.push_back(*scalar);
  }
  into.push_back(std::move(result));
}

// What the configuration says of distances, as the instruction names them.
Distances distances_in(const Instruction &instruction, const std::vector<Setting> &settings) {
  Distances found;
  for (const Need &need : instruction.needs)
    for (const Setting &setting : settings)
      for (std::size_t i = 0; i < need.values.size() && setting.configuration->name == need.configuration;
           ++i) {
        const std::string *word = std::get_if<std::string>(&need.values[i]);
        const Index *value = std::get_if<Index>(&setting.values.at(i));
        if (word && value)
          found[*word] = *value;
      }
  return found;
}

} // namespace

std::vector<Called> calls_in(const LaneCall &call) {
  std::vector<Called> all;
  collect(call, all);
  return all;
}

Called called(const BlockCall &call, const std::vector<Setting> &needs) {
  Called result{call.instruction, sizes_of(call.operands), {}, {}};
  Distances distances = distances_in(*call.instruction, needs);
  for (const auto &[name, operand] : call.operands)
    if (name.find('.') != std::string::npos) {
      const auto [told, is_new] = distances.emplace(name, std::get<Index>(operand));
      ATL_CHECK(is_new || equal(told->second, std::get<Index>(operand)), "two distances: " + name);
    }
  for (const auto &[name, operand] : call.operands) {
    if (const FirstElement *first = std::get_if<FirstElement>(&operand))
      add_operand(result, name, *first, distances);
    if (const RowBlock *block = std::get_if<RowBlock>(&operand))
      add_operand(result, name, *block, distances);
    if (const ExprPtr *scalar = std::get_if<ExprPtr>(&operand))
      result.scalars.push_back(*scalar);
  }
  return result;
}

} // namespace atl::lowering
