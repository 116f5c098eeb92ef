#include "accel/pattern.h"

#include "accel/holes.h"
#include "atl/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace atl::accel {

namespace {

std::optional<std::size_t> position(const Instruction &instruction, const std::string &name) {
  const std::vector<Param> &params = instruction.meaning.params;
  auto found = std::find_if(params.begin(), params.end(), [&](const Param &p) { return p.name == name; });
  if (found == params.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - params.begin());
}

Diagnostic bad(const Instruction &instruction, std::string why) {
  return {Code::bad_instruction, instruction.meaning.span, std::move(why), {}};
}

// The lanes of the result in a register; of one that stores, those of its operands in registers, which are
// all the same number. Operands may be longer than a result in a register: several of their elements serve a
// lane.
Result<std::int64_t> lanes_of(const Instruction &instruction) {
  std::optional<std::int64_t> lanes;
  auto take = [&](const Type &type, const std::string &memory) {
    if (memory.empty())
      return true;
    auto extent = type.shape.size() == 1 ? as_constant(type.shape[0]) : std::nullopt;
    bool fits = extent && (!lanes || *lanes == *extent ||
                           (!instruction.result_memory.empty() && *extent % *lanes == 0));
    lanes = lanes ? lanes : extent;
    return fits;
  };
  bool all = take(instruction.meaning.outputs[0].type, instruction.result_memory);
  for (std::size_t i = 0; i < instruction.meaning.params.size(); ++i)
    all = all && take(instruction.meaning.params[i].type, instruction.memories[i]);
  if (all && lanes)
    return *lanes;
  return Diagnostics{bad(instruction,
                         "the operands and the result in registers are vectors of a constant "
                         "length: that of the result, which is the number of lanes, or a multiple")};
}

Result<Pattern> pattern_of(const TypedInstruction &typed) {
  const Instruction &instruction = *typed.source;
  if (auto problem = check_holes(instruction, instruction.result_memory.empty()))
    return Diagnostics{*problem};
  auto lanes = lanes_of(instruction);
  if (!lanes)
    return lanes.errors();
  const ExprPtr &meaning = typed.meaning.results.at(0);
  const Gen *gen = std::get_if<Gen>(&meaning->node);
  bool from_zero = gen && as_constant(gen->lo) == 0 && typed.meaning.lets.empty();
  Pattern pattern{&instruction,
                  instruction.meaning.outputs[0].type.elem,
                  *lanes,
                  gen ? gen->var : "",
                  gen ? gen->body : nullptr,
                  ""};
  bool some = gen && gen->hi->op == IndexOp::variable && pattern.stores();
  bool every = gen && as_constant(gen->hi) == *lanes;
  if (!from_zero || (!every && !some))
    return Diagnostics{
        bad(instruction, fmt::format("its meaning is not gen i < {} {{ ... }}, nor, for one that stores, gen "
                                     "i < n {{ ... }} with a size n",
                                     *lanes))};
  if (some)
    pattern.active = gen->hi->name;
  return pattern;
}

} // namespace

const Param *Pattern::param(const std::string &name) const {
  auto at = position(*source, name);
  return at ? &source->meaning.params[*at] : nullptr;
}

const std::string &Pattern::memory_of(const std::string &name) const {
  auto at = position(*source, name);
  ATL_CHECK(at.has_value(), "not an operand: " + name);
  return source->memories[*at];
}

Result<std::vector<Pattern>> patterns_of(const std::vector<TypedInstruction> &instructions) {
  std::vector<Pattern> patterns;
  Diagnostics errors;
  for (const TypedInstruction &instruction : instructions) {
    auto pattern = pattern_of(instruction);
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
