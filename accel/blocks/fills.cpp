#include "accel/blocks/fills.h"

#include "accel/blocks/first_use.h"
#include "accel/blocks/pieces.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/uses.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

// From plain memory that is not stored to in the block.
bool is_loaded(const For &fill, const Block &body, const Buffers &buffers) {
  bool all = true;
  for_each_access(nest_of(fill)->value, [&](const Access &read) {
    auto tensor = buffers.find(read.tensor);
    all = all && (tensor == buffers.end() || !tensor->second.memory) && !stores_to(body, read.tensor);
  });
  return all;
}

// All instructions of a nest that adds.
bool replaces_what_is_there(const For &loop) {
  if (loop.block && loop.block->call)
    for (const auto &[name, operand] : loop.block->call->operands)
      if (const Index *adds = name == "adds" ? std::get_if<Index>(&operand) : nullptr)
        return as_constant(*adds) == 0;
  const For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
  return inner && replaces_what_is_there(*inner);
}

bool is_dropped(const For &loop) {
  return loop.block && loop.block->replaces && !loop.block->call;
}

} // namespace

Fills fills_of(Alloc &alloc, const Block &turn, const Buffers &buffers) {
  Fills fills{{}, 0};
  for (; fills.rest < alloc.body.size(); ++fills.rest) {
    Stmt &stmt = alloc.body[fills.rest];
    For *loop = std::get_if<For>(&stmt.node);
    const Store *store = loop && is_simple(stmt) ? innermost(stmt) : nullptr;
    if (!store || store->buffer != alloc.buffer.name)
      break;
    bool may_add = replaces_what_is_there(*loop) || (!fills.nests.empty() && is_loaded(*loop, turn, buffers));
    if (store->combine && !may_add)
      break;
    if (!is_dropped(*loop))
      fills.nests.push_back(loop);
  }
  return fills;
}

bool are_alike(const For &a, const For &b) {
  auto first = nest_of(a), second = nest_of(b);
  if (!first || !second || first->loops.size() != second->loops.size())
    return false;
  Subst names;
  for (std::size_t l = 0; l < first->loops.size(); ++l) {
    const For &mine = *first->loops[l], &other = *second->loops[l];
    if (!equal(mine.lo, substitute(other.lo, names)) || !equal(mine.hi, substitute(other.hi, names)))
      return false;
    names[other.var] = variable(mine.var);
  }
  const std::vector<Index> &mine = first->store->indices, &others = second->store->indices;
  return std::equal(mine.begin(), mine.end(), others.begin(), others.end(),
                    [&](const Index &x, const Index &y) { return equal(x, substitute(y, names)); });
}

std::string changing_source(const For &fill, const Block &body) {
  std::string found;
  for_each_access(nest_of(fill)->value, [&](const Access &read) {
    if (found.empty() && stores_to(body, read.tensor))
      found = read.tensor;
  });
  return found;
}

} // namespace atl::accel
