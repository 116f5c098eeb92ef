#include "accel/blocks/fit.h"

#include <algorithm>
#include <optional>

namespace atl::accel {

using namespace lowering;

namespace {

using Value = std::variant<Index, ExprPtr>;

Elem elem_of(const Instruction &instruction, const std::string &operand) {
  const Param *param = find_operand(instruction, operand);
  return param ? param->type.elem : instruction.meaning.outputs[0].type.elem;
}

// NAME.stride: how many bytes a row of an operand in plain memory lies behind the one before. NAME.block: how
// many rows of its memory an operand has side by side.
std::optional<Value> distance(const Fitting &fitting, const Attempt &attempt, const std::string &operand,
                              const std::string &what) {
  auto stride = attempt.match.strides.find(operand);
  bool in_rows = memory_of(fitting.instruction(), operand).empty() == (what == "block");
  if (stride == attempt.match.strides.end() || in_rows || (what != "block" && what != "stride"))
    return std::nullopt;
  return what == "block" ? fitting.outside.simplify(stride->second)
                         : bytes_of_row(fitting, operand, stride->second);
}

std::optional<Value> value_of(const Fitting &fitting, const Attempt &attempt, const std::string &word) {
  if (std::size_t dot = word.find('.'); dot != std::string::npos)
    return distance(fitting, attempt, word.substr(0, dot), word.substr(dot + 1));
  for (const auto &[name, operand] : attempt.match.call.operands)
    if (name == word) {
      const Index *size = std::get_if<Index>(&operand);
      return size ? Value(*size) : Value(std::get<ExprPtr>(operand));
    }
  return std::nullopt;
}

} // namespace

Index bytes_of_row(const Fitting &fitting, const std::string &operand, const Index &stride) {
  const std::size_t bytes = byte_size(elem_of(fitting.instruction(), operand));
  return fitting.outside.simplify(mul(stride, constant(static_cast<std::int64_t>(bytes))));
}

bool find_needs(Fitting &fitting, Attempt &attempt) {
  const std::vector<Configuration> &all = fitting.hardware.configurations;
  for (const Need &need : fitting.instruction().needs) {
    auto configuration = std::find_if(all.begin(), all.end(),
                                      [&](const Configuration &c) { return c.name == need.configuration; });
    Setting setting{&*configuration, {}};
    for (const auto &wanted : need.values) {
      const std::string *word = std::get_if<std::string>(&wanted);
      auto value = word ? value_of(fitting, attempt, *word) : Value(constant(std::get<std::int64_t>(wanted)));
      if (!value)
        return refuse(fitting, attempt, "there is no " + *word);
      setting.values.push_back(*value);
    }
    attempt.match.needs.push_back(std::move(setting));
  }
  return true;
}

} // namespace atl::accel
