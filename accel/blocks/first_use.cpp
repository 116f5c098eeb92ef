#include "accel/blocks/first_use.h"

#include "atl/syntax/tree.h"

#include <functional>

namespace atl::accel {

using namespace lowering;

namespace {

// The values of the loops of a nest in which it stores to the cell: an index is a loop, or c * a loop + a
// loop with c iterations, or the same in all.
std::optional<Subst> iteration_of(const BlockNest &nest, const std::vector<Index> &cell, const Facts &facts) {
  Subst values;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    const Index &stored = nest.store->indices[d];
    std::vector<const For *> loops;
    for (const For *loop : nest.loops)
      if (mentions(stored, loop->var))
        loops.push_back(loop);
    auto is = [&](const Index &form) { return as_constant(facts.simplify(sub(stored, form))) == 0; };
    if (loops.empty() && is(cell[d]))
      continue;
    if (loops.size() == 1 && is(variable(loops[0]->var))) {
      values[loops[0]->var] = cell[d];
      continue;
    }
    if (loops.size() != 2)
      return std::nullopt;
    const For *outer = loops[0], *inner = loops[1];
    if (!is(add(mul(variable(outer->var), inner->hi), variable(inner->var))))
      return std::nullopt;
    values[outer->var] = floor_div(cell[d], inner->hi);
    values[inner->var] = modulo(cell[d], inner->hi);
  }
  for (const For *loop : nest.loops)
    if (!values.contains(loop->var) || as_constant(loop->lo) != 0)
      return std::nullopt;
  return values;
}

// Visits every access to a tensor, with what is known there.
using Visit = std::function<void(const Access &, const Facts &)>;

void visit_reads(const ExprPtr &e, const std::string &tensor, const Facts &facts, const Visit &visit) {
  if (const Access *access = std::get_if<Access>(&e->node); access && access->tensor == tensor)
    visit(*access, facts);
  for (const ExprPtr &child : children(*e))
    visit_reads(child, tensor, facts, visit);
}

void visit_reads(const Stmt &stmt, const std::string &tensor, const Known &around, const Visit &visit) {
  match(
      stmt,
      [&](const For &loop) {
        for (const Stmt &inner : loop.body)
          visit_reads(inner, tensor, around.inside(loop.range()), visit);
      },
      [&](const If &branch) {
        for (const Stmt &inner : branch.body)
          visit_reads(inner, tensor, around.where(branch.pred), visit);
      },
      [&](const Alloc &alloc) {
        for (const Stmt &inner : alloc.body)
          visit_reads(inner, tensor, around, visit);
      },
      [&](const Store &store) { visit_reads(store.value, tensor, around.facts(), visit); });
}

} // namespace

const Store *innermost(const Stmt &stmt) {
  const For *loop = std::get_if<For>(&stmt.node);
  auto nest = loop ? nest_of(*loop) : std::nullopt;
  return nest ? nest->store : nullptr;
}

bool reads_only_stored(const Stmt &stmt, const std::string &tensor, const BlockNest &nest,
                       const Known &around) {
  bool all = true;
  visit_reads(stmt, tensor, around, [&](const Access &read, const Facts &facts) {
    auto iteration = iteration_of(nest, read.indices, facts);
    if (!iteration)
      return void(all = false);
    for (const For *loop : nest.loops)
      all = all && facts.proves(substitute(in_range(loop->lo, variable(loop->var), loop->hi), *iteration));
    for (const Pred &guard : nest.guards)
      all = all && facts.proves(substitute(guard, *iteration));
  });
  return all;
}

void drop_unused_start(Alloc &alloc, const Known &around, const Buffers &buffers) {
  const std::string &tensor = alloc.buffer.name;
  if (!buffers.at(tensor).memory || alloc.body.size() < 2)
    return;
  For *start = std::get_if<For>(&alloc.body[0].node);
  const Store *fills = innermost(alloc.body[0]), *stores = innermost(alloc.body[1]);
  if (!start || !fills || !fills->initializes || fills->buffer != tensor || !stores ||
      stores->buffer != tensor || stores->combine)
    return;
  const BlockNest nest = nest_of(std::get<For>(alloc.body[1].node)).value();
  bool all = true;
  for (std::size_t s = 2; s < alloc.body.size(); ++s)
    all = all && reads_only_stored(alloc.body[s], tensor, nest, around);
  if (all)
    start->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
}

} // namespace atl::accel
