#include "accel/blocks/fit.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// What e changes by when a loop goes on; nothing if that is not the same for all iterations.
Index step_of(const Fitting &fitting, const Index &e, const std::string &var) {
  Index step = fitting.inside.simplify(sub(substitute(e, {{var, add(variable(var), constant(1))}}), e));
  return is_fixed(fitting, step) ? step : nullptr;
}

// The element in the first iteration of all loops.
std::vector<Index> first_of(const Fitting &fitting, const Attempt &attempt,
                            const std::vector<Index> &indices) {
  std::vector<Index> first;
  for (const Index &index : indices)
    first.push_back(fitting.outside.simplify(substitute(index, attempt.starts)));
  return first;
}

// One element behind the other along the last loop, rows at any distance along the one before.
bool place_in_plain(Fitting &fitting, Attempt &attempt, const std::string &operand,
                    const std::vector<std::size_t> &at, const Placed &tensor,
                    const std::vector<Index> &indices) {
  Index number = row_major(tensor.buffer.dims, indices);
  for (std::size_t p = 0; p < fitting.pattern.loops.size(); ++p) {
    const std::string &var = loop_of(fitting, attempt, p).var;
    Index step = step_of(fitting, number, var);
    bool is_row = at.size() == 2 && p == at[0];
    auto expected = p == at.back() ? 1 : 0;
    if (!step || (!is_row && as_constant(step) != expected))
      return refuse(fitting, attempt,
                    fmt::format("the elements of {} along {} do not lie as {} has them", tensor.buffer.name,
                                var, operand));
    if (is_row)
      attempt.match.strides[operand] = step;
  }
  return bind_operand(fitting, attempt, operand,
                      FirstElement{tensor.buffer.name, first_of(fitting, attempt, indices)});
}

// From the first column of a row on; one row behind the other along the loop before the last.
bool place_in_rows(Fitting &fitting, Attempt &attempt, const std::string &operand,
                   const std::vector<std::size_t> &at, const Placed &tensor,
                   const std::vector<Index> &indices) {
  const std::int64_t width = tensor.memory->rows->width;
  std::vector<Index> first = first_of(fitting, attempt, indices);
  Index across = sub(indices.back(), first.back());
  if (as_constant(fitting.outside.simplify(modulo(first.back(), constant(width)))) != 0)
    return refuse(fitting, attempt,
                  fmt::format("the columns of {} from {} on do not start a row", tensor.buffer.name,
                              to_string(first.back())));
  std::vector<Index> in_block = indices; // the rows, without the column
  in_block.back() = first.back();
  Index row = row_number(tensor, in_block);
  for (std::size_t p = 0; p < fitting.pattern.loops.size(); ++p) {
    const std::string &var = loop_of(fitting, attempt, p).var;
    Index down = step_of(fitting, row, var), right = step_of(fitting, across, var);
    bool fits = down && right && as_constant(down) == (at.size() == 2 && p == at[0] ? 1 : 0) &&
                as_constant(right) == (p == at.back() ? 1 : 0);
    if (!fits)
      return refuse(
          fitting, attempt,
          fmt::format("the rows of {} along {} do not lie as {} has them", tensor.buffer.name, var, operand));
  }
  Index address = fitting.outside.simplify(add(tensor.address, row_number(tensor, first)));
  attempt.match.strides[operand] = constant(tensor.block());
  return bind_operand(fitting, attempt, operand, RowBlock{tensor.buffer.name, first, address});
}

} // namespace

bool bind_operand(Fitting &fitting, Attempt &attempt, const std::string &operand, BlockOperand value) {
  for (const auto &[other, bound] : attempt.match.call.operands)
    if (other == operand)
      return refuse(fitting, attempt, operand + " is used twice");
  attempt.match.call.operands.emplace_back(operand, std::move(value));
  return true;
}

bool place(Fitting &fitting, Attempt &attempt, const std::string &operand, const std::vector<std::size_t> &at,
           const std::string &buffer, const std::vector<Index> &indices) {
  const Placed &tensor = fitting.buffers.at(buffer);
  const std::string &memory = memory_of(fitting.instruction(), operand);
  if (tensor.buffer.memory != memory)
    return refuse(fitting, attempt,
                  fmt::format("{} is not in {}", buffer, memory.empty() ? "plain memory" : memory));
  if (at.empty() || at.size() > 2 || indices.empty())
    return refuse(fitting, attempt, buffer + " is no block of rows");
  return tensor.memory ? place_in_rows(fitting, attempt, operand, at, tensor, indices)
                       : place_in_plain(fitting, attempt, operand, at, tensor, indices);
}

} // namespace atl::accel
