#include "accel/blocks/block_nest.h"

#include "atl/base/check.h"
#include "atl/syntax/tree.h"

namespace atl::accel {

using namespace lowering;

namespace {

// What the scalars of a nest hold, once they are stored to; null before.
using Scalars = std::map<std::string, ExprPtr>;

ExprPtr with_scalars(ExprPtr e, const Scalars &scalars) {
  for (const auto &scalar : scalars)
    if (scalar.second)
      e = replace_accesses(e, scalar.first, [&](const Access &, const ExprPtr &) { return scalar.second; });
  return e;
}

bool counts(const Store &store) {
  return store.counts->op == PredOp::truth;
}

ExprPtr sum_of(const Stmt &stmt, const std::string &total, BlockNest &nest);

// What is under a condition stands in the loops around it as well: all conditions are about the term.
ExprPtr conditional_sum(const If &branch, const std::string &total, BlockNest &nest) {
  for (const Pred &part : conjuncts(branch.pred))
    nest.of_terms.push_back(part);
  return branch.body.size() == 1 ? sum_of(branch.body[0], total, nest) : nullptr;
}

// for ... for ... if (conditions) total += term
ExprPtr sum_of(const Stmt &stmt, const std::string &total, BlockNest &nest) {
  if (const Store *term = std::get_if<Store>(&stmt.node)) {
    const bool adds = term->buffer == total && term->combine == Reduction::sum && counts(*term);
    if (!adds || reads(term->value, total))
      return nullptr;
    const ExprPtr &value = term->value;
    return nest.of_terms.empty() ? value : make(Guard{conj(nest.of_terms), value}, value->span, value->type);
  }
  if (const If *branch = std::get_if<If>(&stmt.node))
    return conditional_sum(*branch, total, nest);
  const For *loop = std::get_if<For>(&stmt.node);
  if (!loop || loop->body.size() != 1)
    return nullptr;
  nest.sums.push_back(loop);
  const ExprPtr body = sum_of(loop->body[0], total, nest);
  return body ? make(Reduce{Reduction::sum, loop->var, loop->lo, loop->hi, body}, body->span, body->type)
              : nullptr;
}

bool collect(const Block &body, BlockNest &nest, Scalars &scalars);

// A scalar is set, or the only one that is added up starts from 0; or else it is the store of the nest.
bool collect(const Store &store, const Stmt *next, BlockNest &nest, Scalars &scalars) {
  const auto scalar = scalars.find(store.buffer);
  if (scalar == scalars.end()) {
    nest.store = &store;
    nest.value = with_scalars(store.value, scalars);
    return counts(store) && !next;
  }
  const bool starts_sum = store.initializes && next && std::holds_alternative<For>(next->node);
  if (store.combine || scalar->second || (starts_sum && !nest.sums.empty()))
    return false;
  const ExprPtr value = starts_sum ? sum_of(*next, store.buffer, nest) : store.value;
  if (value)
    scalar->second = with_scalars(value, scalars);
  return value != nullptr;
}

bool collect_scalar(const Alloc &alloc, BlockNest &nest, Scalars &scalars) {
  return alloc.storage == Alloc::Storage::scalar && scalars.emplace(alloc.buffer.name, nullptr).second &&
         collect(alloc.body, nest, scalars);
}

// A loop or a condition has the store of the nest in it: scalars are not set under conditions, and in loops
// only by sums.
bool collect(const Block &body, BlockNest &nest, Scalars &scalars) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Stmt *next = i + 1 < body.size() ? &body[i + 1] : nullptr;
    const std::size_t sums = nest.sums.size();
    const bool fits = match(
        body[i],
        [&](const For &loop) {
          nest.loops.push_back(&loop);
          return !next && collect(loop.body, nest, scalars) && nest.store;
        },
        [&](const If &branch) {
          for (const Pred &part : conjuncts(branch.pred))
            nest.guards.push_back(part);
          return !next && collect(branch.body, nest, scalars) && nest.store;
        },
        [&](const Alloc &alloc) { return collect_scalar(alloc, nest, scalars); },
        [&](const Store &store) { return collect(store, next, nest, scalars); });
    if (!fits || (nest.store && next))
      return false;
    i += nest.sums.size() > sums && std::holds_alternative<Store>(body[i].node) ? 1
                                                                                : 0; // its loops were the sum
  }
  return true;
}

} // namespace

std::optional<BlockNest> nest_of(const For &loop) {
  BlockNest nest;
  Scalars scalars;
  nest.loops.push_back(&loop);
  if (!collect(loop.body, nest, scalars) || !nest.store)
    return std::nullopt;
  return nest;
}

std::int64_t Placed::block() const {
  return layout.size() < 2 ? 1 : as_constant(layout[layout.size() - 2]).value();
}

std::int64_t Placed::rows() const {
  std::int64_t width = memory->rows->width, rows = ceil_div(as_constant(layout.back()).value(), width);
  for (std::size_t d = 0; d + 1 < layout.size(); ++d)
    if (__builtin_mul_overflow(rows, as_constant(layout[d]).value(), &rows) || rows > most_rows)
      return most_rows;
  return rows;
}

Index row_number(const Placed &tensor, const std::vector<Index> &indices) {
  std::int64_t width = tensor.memory->rows->width;
  std::int64_t blocks = ceil_div(as_constant(tensor.layout.back()).value(), width);
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
