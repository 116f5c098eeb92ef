#include "atl/schedule/auto/block_machine.h"

#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::schedule {

namespace {

// Its clauses `where` say that it is so large at most.
std::optional<std::int64_t> limit_of(const Index &extent, const Kernel &meaning) {
  if (auto known = as_constant(extent))
    return known;
  for (const Where &where : meaning.where)
    for (const Pred &pred : conjuncts(where.pred))
      if (pred->op == PredOp::le && equal(pred->lhs, extent))
        if (auto limit = as_constant(pred->rhs))
          return limit;
  return std::nullopt;
}

const Memory *row_memory(const Hardware &hardware, const std::string &name) {
  const Memory *memory = hardware.find_memory(name);
  return memory && memory->rows ? memory : nullptr;
}

std::vector<std::size_t> matrices_of(const Kernel &meaning) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < meaning.params.size(); ++i)
    if (meaning.params[i].kind == Param::Kind::tensor && meaning.params[i].type.shape.size() == 2)
      found.push_back(i);
  return found;
}

bool is_sum_of_products(ExprPtr body) {
  while (std::holds_alternative<Gen>(body->node))
    body = loop_body(body);
  const Reduce *reduce = std::get_if<Reduce>(&body->node);
  const Op *terms = reduce ? std::get_if<Op>(&reduce->body->node) : nullptr;
  return terms && reduce->reduction == Reduction::sum && terms->op->name == "*";
}

// The memory of the right operand, where rows, columns and terms have the same limit.
struct Product {
  const Memory *left, *right;
  Elem elem;
  std::int64_t block;
};
std::optional<Product> product_of(const Instruction &instruction, const Hardware &hardware) {
  const Kernel &meaning = instruction.meaning;
  const std::vector<std::size_t> operands = matrices_of(meaning);
  if (!instruction.adds || operands.size() != 2 || meaning.outputs.size() != 1 ||
      meaning.outputs[0].type.shape.size() != 2 || !row_memory(hardware, instruction.result_memory) ||
      !row_memory(hardware, instruction.memories[operands[0]]) || !is_sum_of_products(meaning.body))
    return std::nullopt;
  const Memory *right = row_memory(hardware, instruction.memories[operands[1]]);
  const Shape &result = meaning.outputs[0].type.shape;
  const Type &operand = meaning.params[operands[1]].type;
  const auto rows = limit_of(result[0], meaning);
  if (!right || !rows || rows != limit_of(result[1], meaning) || rows != limit_of(operand.shape[0], meaning))
    return std::nullopt;
  return Product{row_memory(hardware, instruction.memories[operands[0]]), right, operand.elem, *rows};
}

// From two matrices of the same elements, and all in plain memory.
bool is_whole_product(const Instruction &instruction, const Product &product) {
  const std::vector<std::size_t> operands = matrices_of(instruction.meaning);
  return operands.size() == 2 && instruction.result_memory.empty() &&
         std::all_of(operands.begin(), operands.end(), [&](std::size_t operand) {
           return instruction.memories[operand].empty() &&
                  instruction.meaning.params[operand].type.elem == product.elem;
         });
}

// Columns that an instruction copies from plain memory at once.
std::int64_t columns_loaded(const Instruction &instruction, const Product &product) {
  const Kernel &meaning = instruction.meaning;
  const std::vector<std::size_t> operands = matrices_of(meaning);
  if (instruction.result_memory != product.right->name || operands.size() != 1 ||
      !instruction.memories[operands[0]].empty() || meaning.params[operands[0]].type.elem != product.elem)
    return 0;
  return limit_of(meaning.params[operands[0]].type.shape[1], meaning).value_or(0);
}

} // namespace

std::optional<BlockProducts> block_products_of(const Hardware &hardware) {
  for (const Instruction &instruction : hardware.instructions) {
    const std::optional<Product> product = product_of(instruction, hardware);
    if (!product)
      continue;
    std::int64_t load = 0;
    for (const Instruction &other : hardware.instructions)
      load = std::max(load, columns_loaded(other, *product));
    if (load < product->block)
      continue;
    const std::int64_t rows_for_columns = ceil_div(load, product->block);
    const bool whole =
        std::any_of(hardware.instructions.begin(), hardware.instructions.end(),
                    [&](const Instruction &other) { return is_whole_product(other, *product); });
    return BlockProducts{product->block,
                         load,
                         product->right->registers / (2 * rows_for_columns),
                         product->left->registers,
                         product->right->registers,
                         whole};
  }
  return std::nullopt;
}

} // namespace atl::schedule
