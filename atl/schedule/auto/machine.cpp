#include "atl/schedule/auto/machine.h"

#include <algorithm>
#include <cctype>

namespace atl::schedule {

namespace {

// Of a vector that an instruction puts into a register of this memory.
std::int64_t lanes_of(const Instruction &instruction, const std::string &memory, Elem elem) {
  if (instruction.result_memory != memory || instruction.meaning.outputs.size() != 1)
    return 0;
  const Type &result = instruction.meaning.outputs[0].type;
  if (result.elem != elem || result.shape.size() != 1)
    return 0;
  return as_constant(result.shape[0]).value_or(0);
}

// Instructions for the first n elements of a vector.
bool has_masks(const Hardware &hardware, const Memory &memory, Elem elem) {
  auto is_size = [](const Param &param) { return param.kind == Param::Kind::size; };
  return std::any_of(hardware.instructions.begin(), hardware.instructions.end(), [&](const Instruction &i) {
    return lanes_of(i, memory.name, elem) > 0 &&
           std::any_of(i.meaning.params.begin(), i.meaning.params.end(), is_size);
  });
}

// Of functions, which are those of single instructions in C.
bool is_one_call(const std::string &c) {
  std::size_t calls = 0;
  for (std::size_t i = 1; i < c.size(); ++i)
    calls += c[i] == '(' && (std::isalnum(static_cast<unsigned char>(c[i - 1])) || c[i - 1] == '_') ? 1 : 0;
  return calls == 1;
}

// sum i < L { x[i] }, or (x[0] + x[2]) + (x[1] + x[3]).
std::optional<Reduction> reduction_of(const Expr &e) {
  if (const Reduce *reduce = std::get_if<Reduce>(&e.node))
    return reduce->reduction;
  const Op *op = std::get_if<Op>(&e.node);
  for (Reduction reduction : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min})
    if (op && op->op == &combiner(reduction))
      return reduction;
  return std::nullopt;
}

} // namespace

std::optional<std::string> combiner_of(const Hardware &hardware, const Vectors &vectors, Elem elem,
                                       Reduction reduction) {
  for (const Instruction &instruction : hardware.instructions) {
    const Kernel &meaning = instruction.meaning;
    if (meaning.params.size() != 1 || meaning.outputs.size() != 1 || instruction.memories.size() != 1 ||
        instruction.memories[0] != vectors.memory || !meaning.outputs[0].type.shape.empty() ||
        meaning.outputs[0].type.elem != elem)
      continue;
    const Type &operand = meaning.params[0].type;
    if (operand.elem == elem && operand.shape.size() == 1 && as_constant(operand.shape[0]) == vectors.lanes &&
        reduction_of(*meaning.body) == reduction)
      return meaning.name;
  }
  return std::nullopt;
}

std::optional<LaneProducts> products_in_lane(const Hardware &hardware, const Vectors &vectors, Elem sum,
                                             Elem a, Elem b) {
  auto elements = [](const Param &param) {
    return param.type.shape.size() == 1 ? as_constant(param.type.shape[0]).value_or(0) : 0;
  };
  for (const Instruction &instruction : hardware.instructions) {
    const std::vector<Param> &params = instruction.meaning.params;
    if (lanes_of(instruction, vectors.memory, sum) != vectors.lanes || params.size() != 3 ||
        params[0].type.elem != sum || elements(params[0]) != vectors.lanes)
      continue;
    const Elem first = params[1].type.elem, second = params[2].type.elem;
    const std::int64_t products = elements(params[1]) / vectors.lanes;
    if (products > 1 && elements(params[1]) == elements(params[2]) &&
        ((first == a && second == b) || (first == b && second == a)))
      return LaneProducts{products, is_one_call(instruction.c)};
  }
  return std::nullopt;
}

std::optional<Vectors> vectors_of(const Hardware &hardware, Elem elem) {
  std::optional<Vectors> widest;
  for (const Memory &memory : hardware.memories) {
    std::int64_t lanes = 0;
    if (!memory.rows && memory.c_types.contains(elem))
      for (const Instruction &instruction : hardware.instructions)
        lanes = std::max(lanes, lanes_of(instruction, memory.name, elem));
    if (lanes > 1 && (!widest || lanes > widest->lanes))
      widest = Vectors{memory.name, lanes, memory.registers, has_masks(hardware, memory, elem)};
  }
  return widest;
}

std::optional<Vectors> vectors_for(const Nest &nest, const Hardware &hardware) {
  std::optional<Vectors> vectors = vectors_of(hardware, nest.elem);
  for (const Elem elem : nest.elems)
    if (const auto other = vectors_of(hardware, elem); vectors && other && other->lanes < vectors->lanes)
      vectors = other;
  return vectors;
}

bool fills_lanes(const Nest &nest, const Vectors &vectors) {
  const std::optional<std::int64_t> cells = as_constant(sub(nest.loops.back().hi, nest.loops.back().lo));
  return !cells || *cells * 2 >= vectors.lanes;
}

std::string strategy_for(const Vectors &vectors, const std::string &name) {
  return vectors.masks ? name : name + "_unmasked";
}

} // namespace atl::schedule
