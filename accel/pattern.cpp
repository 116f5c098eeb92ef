#include "accel/pattern.h"

#include "accel/holes.h"
#include "atl/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace atl::accel {

namespace {

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
  return Diagnostics{bad_instruction(
      instruction, "the operands and the result in registers are vectors of a constant "
                   "length: that of the result, which is the number of lanes, or a multiple")};
}

// Each row of several would have to be aligned by itself.
std::optional<Diagnostic> check_alignment(const Instruction &instruction) {
  for (const auto &[name, bytes] : instruction.aligned)
    if (const Param *operand = find_operand(instruction, name); operand && operand->type.shape.size() != 1)
      return bad_instruction(instruction,
                             fmt::format("{} is aligned, and not one row in plain memory", name));
  return std::nullopt;
}

Result<Pattern> pattern_of(const TypedInstruction &typed) {
  const Instruction &instruction = *typed.source;
  if (auto problem = check_holes(instruction, instruction.result_memory.empty(), RowStrides::in_holes))
    return Diagnostics{*problem};
  if (auto problem = check_alignment(instruction))
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
    return Diagnostics{bad_instruction(
        instruction, fmt::format("its meaning is not gen i < {} {{ ... }}, nor, for one that stores, gen "
                                 "i < n {{ ... }} with a size n",
                                 *lanes))};
  if (some)
    pattern.active = gen->hi->name;
  return pattern;
}

} // namespace

Result<std::vector<Pattern>> patterns_of(const std::vector<TypedInstruction> &instructions) {
  return for_all<Pattern>(instructions, pattern_of);
}

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
  return {Code::bad_instruction, instruction.meaning.span, std::move(why), {}};
}

bool same_operation(const ExprPtr &a, const ExprPtr &b) {
  if (a->node.index() != b->node.index())
    return false;
  return match(
      a, [&](const Op &op) { return op.op == std::get<Op>(b->node).op; },
      [&](const Convert &c) {
        const Convert &other = std::get<Convert>(b->node);
        return c.to == other.to && c.mode == other.mode && c.arg->type->elem == other.arg->type->elem;
      },
      [&](const Select &) { return true; }, [&](const Literal &) { return equal(a, b); },
      [&](const auto &) { return false; });
}

} // namespace atl::accel
