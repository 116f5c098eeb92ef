#include "accel/describe/pattern.h"

#include "accel/describe/holes.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

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
    bool fits =
        extent && *extent > 0 &&
        (!lanes || *lanes == *extent || (!instruction.result_memory.empty() && *extent % *lanes == 0));
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
                   "length above 0: that of the result, which is the number of lanes, or a multiple")};
}

// Each row of several would have to be aligned by itself.
std::optional<Diagnostic> check_alignment(const Instruction &instruction) {
  for (const auto &[name, bytes] : instruction.aligned)
    if (const Param *operand = find_operand(instruction, name); operand && operand->type.shape.size() != 1)
      return bad_instruction(instruction,
                             fmt::format("{} is aligned, and not one row in plain memory", name));
  return std::nullopt;
}

// All lanes of a register one by one, in any order: the register, if the expression combines just these.
struct EachLane {
  Reduction reduction;
  std::string operand;
  std::set<std::int64_t> lanes;

  bool takes(const ExprPtr &e) {
    if (const Op *op = std::get_if<Op>(&e->node))
      return op->op == &combiner(reduction) &&
             std::all_of(op->args.begin(), op->args.end(), [&](const ExprPtr &arg) { return takes(arg); });
    const Access *access = std::get_if<Access>(&e->node);
    auto lane = access && access->indices.size() == 1 ? as_constant(access->indices[0]) : std::nullopt;
    if (!lane || (!operand.empty() && operand != access->tensor))
      return false;
    operand = access->tensor;
    return lanes.insert(*lane).second;
  }
};

std::optional<Reduction> combined_by(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  for (Reduction reduction : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min})
    if (op && op->op == &combiner(reduction))
      return reduction;
  return std::nullopt;
}

// sum i < LANES { what a lane has }, or the lanes of an operand one by one.
Result<Pattern> total_of(const TypedInstruction &typed, std::int64_t lanes) {
  const Instruction &instruction = *typed.source;
  const ExprPtr &meaning = typed.meaning.results.at(0);
  Pattern pattern{&instruction, instruction.meaning.outputs[0].type.elem, lanes, "", nullptr, "", {}};
  if (const Reduce *reduce = std::get_if<Reduce>(&meaning->node);
      reduce && as_constant(reduce->lo) == 0 && as_constant(reduce->hi) == lanes) {
    pattern.lane = reduce->var;
    pattern.value = reduce->body;
    pattern.total = reduce->reduction;
  } else if (auto reduction = combined_by(meaning)) {
    EachLane each{*reduction, {}, {}};
    if (each.takes(meaning) && static_cast<std::int64_t>(each.lanes.size()) == lanes) {
      pattern.lane = "lane";
      pattern.value =
          make(Access{each.operand, {variable(pattern.lane)}}, meaning->span, Type{pattern.elem, {}});
      pattern.total = reduction;
    }
  }
  if (!pattern.total || !typed.meaning.lets.empty() || !instruction.result_memory.empty())
    return Diagnostics{bad_instruction(
        instruction,
        fmt::format("its result is a scalar, and its meaning is neither sum i < {} {{ ... }}, nor all "
                    "lanes of an operand, each once, combined in some order",
                    lanes))};
  return pattern;
}

Result<Pattern> pattern_of(const TypedInstruction &typed) {
  const Instruction &instruction = *typed.source;
  const bool is_total = instruction.meaning.outputs[0].type.shape.empty();
  if (auto problem =
          check_holes(instruction, instruction.result_memory.empty() && !is_total, RowStrides::in_holes))
    return Diagnostics{*problem};
  if (auto problem = check_alignment(instruction))
    return Diagnostics{*problem};
  if (instruction.unordered)
    return Diagnostics{bad_instruction(instruction, "only instructions on blocks of rows can be unordered")};
  auto lanes = lanes_of(instruction);
  if (!lanes)
    return lanes.errors();
  if (is_total)
    return total_of(typed, *lanes);
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

} // namespace atl::accel
