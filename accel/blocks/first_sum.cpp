#include "accel/blocks/first_sum.h"

#include "accel/blocks/first_use.h"
#include "lowering/nest/uses.h"
#include "lowering/nest/walk.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

// The first store to a tensor in a statement, with all loops and guards around it.
struct Path {
  BlockNest nest;
  const For *mapped = nullptr; // the loop that an instruction replaces
  std::vector<const For *> outside;

  // Others may follow it, as copies of an unrolled loop do.
  bool find(const Stmt &stmt, const std::string &tensor) {
    return match(
        stmt,
        [&](const For &loop) {
          nest.loops.push_back(&loop);
          if (!mapped && loop.block && loop.block->replaces)
            mapped = &loop;
          if (!mapped)
            outside.push_back(&loop);
          return only(loop.body, tensor);
        },
        [&](const If &branch) {
          for (const Pred &part : conjuncts(branch.pred))
            nest.guards.push_back(part);
          return only(branch.body, tensor);
        },
        [&](const Alloc &alloc) { return only(alloc.body, tensor); },
        [&](const Store &store) {
          nest.store = &store;
          return store.buffer == tensor;
        });
  }

  bool only(const Block &body, const std::string &tensor) {
    auto found =
        std::find_if(body.begin(), body.end(), [&](const Stmt &s) { return stores_to({s}, tensor); });
    return found != body.end() && find(*found, tensor);
  }

  bool is_kept(const For &loop) const {
    return std::any_of(nest.store->indices.begin(), nest.store->indices.end(),
                       [&](const Index &index) { return mentions(index, loop.var); });
  }
};

// The first term of each cell is there: the loops that add up have an iteration, and their guards let the
// first pass.
bool has_first_term(const Path &path, const Known &around) {
  Subst first;
  Facts facts = around.facts();
  for (const For *loop : path.nest.loops)
    if (path.is_kept(*loop)) {
      facts.assume(in_range(loop->lo, variable(loop->var), loop->hi));
    } else {
      if (!facts.proves(substitute(compare(PredOp::lt, loop->lo, loop->hi), first)))
        return false;
      first[loop->var] = loop->lo;
    }
  for (const Pred &guard : path.nest.guards) {
    bool adds_up = std::any_of(path.nest.loops.begin(), path.nest.loops.end(), [&](const For *loop) {
      return !path.is_kept(*loop) && mentions(guard, loop->var);
    });
    bool keeps = std::any_of(path.nest.loops.begin(), path.nest.loops.end(), [&](const For *loop) {
      return path.is_kept(*loop) && mentions(guard, loop->var);
    });
    if (adds_up && (keeps || !facts.proves(substitute(guard, first))))
      return false;
  }
  return true;
}

bool only_adds(const Stmt &stmt, const std::string &tensor) {
  bool all = true;
  for_each<Store>(Block{stmt}, [&](const Store &store) {
    all = all && (store.buffer != tensor || store.combine == Reduction::sum);
  });
  return all;
}

// All stores to the tensor add, to cells that are numbered alike.
bool all_add_like(const Store &first, const Stmt &stmt) {
  bool all = only_adds(stmt, first.buffer);
  for_each<Store>(Block{stmt}, [&](const Store &store) {
    if (store.buffer != first.buffer)
      return;
    for (std::size_t d = 0; d < store.indices.size(); ++d)
      all = all && equal(store.indices[d], first.indices[d]);
  });
  return all;
}

// An instruction in it that stores to the tensor is unordered, or is not.
bool has_store(const Stmt &stmt, const std::string &tensor, bool unordered) {
  return any_of<For>(Block{stmt}, [&](const For &loop) {
    return loop.block && loop.block->call && loop.block->call->instruction->unordered == unordered &&
           stores_to({{loop}}, tensor);
  });
}

// The first statement behind the start would replace what is there, and hardware may do others first that
// add: those before one that keeps the order.
bool may_come_late(const Alloc &alloc) {
  const std::string &tensor = alloc.buffer.name;
  bool is_late = false, goes_on = has_store(alloc.body[1], tensor, true);
  for (std::size_t s = 2; s < alloc.body.size() && goes_on; ++s) {
    is_late = is_late || has_store(alloc.body[s], tensor, true);
    goes_on = !has_store(alloc.body[s], tensor, false);
  }
  return is_late;
}

bool set_adding(For &loop, const Index &adds) {
  BlockCode code = *loop.block;
  for (auto &[name, operand] : code.call->operands)
    if (name == "adds") {
      operand = adds;
      loop.block = std::make_shared<const BlockCode>(std::move(code));
      return true;
    }
  return false;
}

} // namespace

std::optional<FirstSum> first_sum(const Alloc &alloc, const Known &around, const Buffers &buffers) {
  const std::string &tensor = alloc.buffer.name;
  const Store *fills = alloc.body.size() < 2 ? nullptr : innermost(alloc.body[0]);
  const Literal *start = fills ? std::get_if<Literal>(&fills->value->node) : nullptr;
  bool from_zero = fills && fills->initializes && fills->buffer == tensor && start &&
                   (start->is_float ? start->real == 0 : start->integer == 0);
  Path path;
  if (!buffers.at(tensor).memory || !from_zero || !path.find(alloc.body[1], tensor) || !path.mapped)
    return std::nullopt;
  if (may_come_late(alloc))
    return std::nullopt;
  Index turns = constant(0); // 0 in the first iteration of the loops around the nest that add up
  for (const For *loop : path.outside)
    if (!path.is_kept(*loop))
      turns = add(turns, sub(variable(loop->var), loop->lo));
  if (!all_add_like(*path.nest.store, alloc.body[1]) || !has_first_term(path, around))
    return std::nullopt;
  // From here on the iteration that stores to a cell is one of the loops that its indices mention.
  BlockNest kept{{}, {}, {}, {}, path.nest.store, path.nest.store->value};
  for (const For *loop : path.nest.loops)
    if (path.is_kept(*loop))
      kept.loops.push_back(loop);
  for (const Pred &guard : path.nest.guards)
    if (std::none_of(path.nest.loops.begin(), path.nest.loops.end(),
                     [&](const For *loop) { return !path.is_kept(*loop) && mentions(guard, loop->var); }))
      kept.guards.push_back(guard);
  if (!reads_only_stored(alloc.body[1], tensor, {}, around))
    return std::nullopt; // reads it before all is there
  for (std::size_t s = 2; s < alloc.body.size(); ++s)
    if (!only_adds(alloc.body[s], tensor) || !reads_only_stored(alloc.body[s], tensor, kept, around))
      return std::nullopt;
  Index adds = around.facts().simplify(binary(IndexOp::min, constant(1), turns));
  return FirstSum{path.mapped, adds};
}

bool choose_adding(Block &body, const FirstSum &first) {
  for (Stmt &stmt : body) {
    For *loop = std::get_if<For>(&stmt.node);
    if (loop && loop == first.nest)
      return set_adding(*loop, first.adds);
    if (Block *inner = body_of(stmt); inner && choose_adding(*inner, first))
      return true;
  }
  return false;
}

} // namespace atl::accel
