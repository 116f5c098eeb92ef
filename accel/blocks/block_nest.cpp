#include "accel/blocks/block_nest.h"

#include "atl/base/check.h"
#include "atl/syntax/tree.h"

namespace atl::accel {

using namespace lowering;

namespace {

using Scalars = std::map<std::string, ExprPtr>;

ExprPtr with_scalars(ExprPtr e, const Scalars &scalars) {
  for (const auto &scalar : scalars)
    e = replace_accesses(e, scalar.first, [&](const Access &, const ExprPtr &) { return scalar.second; });
  return e;
}

// Of one statement, or of a scalar's first store and one more.
bool collect(const Stmt &stmt, BlockNest &nest, Scalars &scalars) {
  auto only = [&](const Block &body) { return body.size() == 1 && collect(body[0], nest, scalars); };
  return match(
      stmt,
      [&](const For &loop) {
        nest.loops.push_back(&loop);
        return only(loop.body);
      },
      [&](const If &branch) {
        for (const Pred &part : conjuncts(branch.pred))
          nest.guards.push_back(part);
        return only(branch.body);
      },
      [&](const Alloc &alloc) {
        const Store *first = alloc.body.size() == 2 ? std::get_if<Store>(&alloc.body[0].node) : nullptr;
        if (alloc.storage != Alloc::Storage::scalar || !first || first->buffer != alloc.buffer.name ||
            first->combine)
          return false;
        scalars[alloc.buffer.name] = with_scalars(first->value, scalars);
        return collect(alloc.body[1], nest, scalars);
      },
      [&](const Store &store) {
        nest.store = &store;
        nest.value = with_scalars(store.value, scalars);
        return !scalars.contains(store.buffer) && store.counts->op == PredOp::truth;
      });
}

} // namespace

std::optional<BlockNest> nest_of(const For &loop) {
  BlockNest nest;
  Scalars scalars;
  nest.loops.push_back(&loop);
  if (loop.body.size() != 1 || !collect(loop.body[0], nest, scalars))
    return std::nullopt;
  return nest;
}

std::int64_t Placed::block() const {
  return layout.size() < 2 ? 1 : as_constant(layout[layout.size() - 2]).value();
}

std::int64_t Placed::rows() const {
  std::int64_t width = memory->rows->width, rows = (as_constant(layout.back()).value() + width - 1) / width;
  for (std::size_t d = 0; d + 1 < layout.size(); ++d)
    if (__builtin_mul_overflow(rows, as_constant(layout[d]).value(), &rows) || rows > most_rows)
      return most_rows;
  return rows;
}

Index row_number(const Placed &tensor, const std::vector<Index> &indices) {
  std::int64_t width = tensor.memory->rows->width;
  std::int64_t blocks = (as_constant(tensor.layout.back()).value() + width - 1) / width;
  Index number = constant(0);
  for (std::size_t d = 0; d + 2 < indices.size(); ++d)
    number = add(mul(number, tensor.layout[d]), indices[d]);
  number = add(mul(number, constant(blocks)), floor_div(indices.back(), constant(width)));
  number = mul(number, constant(tensor.block()));
  return indices.size() < 2 ? number : add(number, indices[indices.size() - 2]);
}

Index column_number(const Placed &tensor, const std::vector<Index> &indices) {
  return modulo(indices.back(), constant(tensor.memory->rows->width));
}

} // namespace atl::accel
