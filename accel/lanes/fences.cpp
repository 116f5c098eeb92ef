#include "accel/lanes/fences.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

bool stores(const Block &body);

bool stores(const For &loop) {
  return loop.lanes ? std::any_of(loop.lanes->statements.begin(), loop.lanes->statements.end(),
                                  [](const LaneStatement &s) { return !s.target; })
                    : stores(loop.body);
}

bool stores(const Stmt &stmt) {
  return match(
      stmt, [](const For &loop) { return stores(loop); },
      [](const If &branch) { return stores(branch.body); },
      [](const Alloc &alloc) { return stores(alloc.body); }, [](const Store &) { return false; });
}

// Instructions store to plain memory.
bool stores(const Block &body) {
  return std::any_of(body.begin(), body.end(), [](const Stmt &stmt) { return stores(stmt); });
}

void add_fence(For &loop, bool before, bool at_end) {
  if (!before && !at_end)
    return;
  BlockCode code;
  code.fence = before;
  code.fence_at_end = at_end;
  loop.block = std::make_shared<const BlockCode>(std::move(code));
}

// Parallel loops with nothing between them share the threads, and nothing may come between.
For &innermost(For &loop) {
  For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
  return inner && !inner->lanes && inner->mode == LoopMode::parallel ? innermost(*inner) : loop;
}

// `pending`: whether this thread's stores may not be seen by others where the block starts, and where it
// ends.
bool insert(Block &body, bool pending);

bool insert(For &loop, bool pending) {
  if (loop.lanes)
    return pending || stores(loop);
  if (loop.mode != LoopMode::parallel)
    return insert(loop.body, pending || stores(loop.body)) || pending; // of the iterations before; or of none
  For &inner = innermost(loop);
  const bool at_end = stores(inner.body);
  add_fence(loop, pending, at_end && &inner == &loop);
  if (&inner != &loop)
    add_fence(inner, false, at_end);
  return false;
}

bool insert(Block &body, bool pending) {
  for (Stmt &stmt : body)
    if (For *loop = std::get_if<For>(&stmt.node))
      pending = insert(*loop, pending);
    else if (Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      pending = insert(alloc->body, pending);
    else if (If *branch = std::get_if<If>(&stmt.node))
      pending = insert(branch->body, pending) || pending;
  return pending;
}

} // namespace

void insert_lane_fences(LoopKernel &kernel) {
  insert(kernel.body, false);
}

} // namespace atl::accel
