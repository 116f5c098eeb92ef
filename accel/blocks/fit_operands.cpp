#include "accel/blocks/fit.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// What e changes by when a loop goes on; nothing if that is not the same for all iterations.
Index step_of(const Fitting &fitting, const Index &e, const std::string &var) {
  Index step = fitting.inside.simplify(sub(substitute(e, {{var, add(variable(var), constant(1))}}), e));
  return is_fixed(fitting, step) ? step : nullptr;
}

// The element at which all indices of the operand are 0. Of a window, it may lie behind the first iteration.
std::vector<Index> first_of(const Fitting &fitting, const Attempt &attempt, const std::vector<BlockIndex> &at,
                            const std::vector<Index> &indices) {
  Subst starts = attempt.starts;
  for (const BlockIndex &index : at)
    if (!index.less.empty()) {
      Index &start = starts.at(loop_of(fitting, attempt, index.loops[0]).var);
      start = add(start, attempt.match.sizes.at(index.less));
    }
  std::vector<Index> first;
  for (const Index &index : indices)
    first.push_back(fitting.outside.simplify(substitute(index, starts)));
  return first;
}

bool runs_along(const BlockIndex &index, std::size_t p) {
  return std::find(index.loops.begin(), index.loops.end(), p) != index.loops.end();
}

const Shape &shape_of(const Fitting &fitting, const std::string &operand) {
  const Param *param = find_operand(fitting.instruction(), operand);
  return param ? param->type.shape : fitting.instruction().meaning.outputs[0].type.shape;
}

// How many elements lie from one index of the operand to the next, by its dimensions, where its rows are
// `row` elements apart: all other dimensions follow each other without gaps.
std::vector<Index> distances(const Fitting &fitting, const Attempt &attempt, const std::string &operand,
                             const Index &row) {
  const Subst sizes(attempt.match.sizes.begin(), attempt.match.sizes.end());
  const Shape &shape = shape_of(fitting, operand);
  std::vector<Index> result(shape.size(), constant(1));
  for (std::size_t d = shape.size() - 1; d-- > 0;)
    result[d] = d + 2 == shape.size() ? row : mul(result[d + 1], substitute(shape[d + 1], sizes));
  return result;
}

// From a row of the operand to the next: as far as a loop goes that runs along rows alone.
Index find_row(const Fitting &fitting, const Attempt &attempt, const std::vector<BlockIndex> &at,
               const Index &number) {
  if (at.size() < 2 || at[at.size() - 2].loops.empty())
    return constant(0);
  return step_of(fitting, number, loop_of(fitting, attempt, at[at.size() - 2].loops[0]).var);
}

// One element behind the other along the last dimension, rows at any distance along the one before, and along
// others one group of rows behind the other.
bool place_in_plain(Fitting &fitting, Attempt &attempt, const std::string &operand,
                    const std::vector<BlockIndex> &at, const Placed &tensor,
                    const std::vector<Index> &indices) {
  const Index number = row_major(tensor.buffer.dims, indices), row = find_row(fitting, attempt, at, number);
  const std::vector<Index> apart =
      row ? distances(fitting, attempt, operand, row) : std::vector<Index>(at.size(), constant(0));
  for (std::size_t p = 0; p < fitting.pattern.loops.size(); ++p) {
    const std::string &var = loop_of(fitting, attempt, p).var;
    const Index step = step_of(fitting, number, var);
    Index expected = constant(0);
    for (std::size_t d = 0; d < at.size(); ++d)
      if (runs_along(at[d], p))
        expected = add(expected, apart[d]);
    if (!row || !step || as_constant(fitting.outside.simplify(sub(step, expected))) != 0)
      return refuse(fitting, attempt,
                    fmt::format("the elements of {} along {} do not lie as {} has them", tensor.buffer.name,
                                var, operand));
  }
  if (at.size() > 1)
    attempt.match.strides[operand] = row;
  return bind_operand(fitting, attempt, operand,
                      FirstElement{tensor.buffer.name, first_of(fitting, attempt, at, indices)});
}

// From the first column of a row on; one row behind the other along the loop before the last.
bool place_in_rows(Fitting &fitting, Attempt &attempt, const std::string &operand,
                   const std::vector<BlockIndex> &at, const Placed &tensor,
                   const std::vector<Index> &indices) {
  const std::int64_t width = tensor.memory->rows->width;
  std::vector<Index> first = first_of(fitting, attempt, at, indices);
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
    bool fits = down && right && as_constant(down) == (at.size() == 2 && runs_along(at[0], p) ? 1 : 0) &&
                as_constant(right) == (runs_along(at.back(), p) ? 1 : 0);
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

bool place(Fitting &fitting, Attempt &attempt, const std::string &operand, const std::vector<BlockIndex> &at,
           const std::string &buffer, const std::vector<Index> &indices) {
  const Placed &tensor = fitting.buffers.at(buffer);
  const std::string &memory = memory_of(fitting.instruction(), operand);
  if (tensor.buffer.memory != memory)
    return refuse(fitting, attempt,
                  fmt::format("{} is not in {}", buffer, memory.empty() ? "plain memory" : memory));
  if (at.empty() || (tensor.memory && at.size() > 2) || indices.empty())
    return refuse(fitting, attempt, buffer + " is no block of rows");
  return tensor.memory ? place_in_rows(fitting, attempt, operand, at, tensor, indices)
                       : place_in_plain(fitting, attempt, operand, at, tensor, indices);
}

} // namespace atl::accel
