#include "accel/lanes/fences.h"

#include "lowering/nest/walk.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

bool stores(const LaneCode &code) {
  return std::any_of(code.statements.begin(), code.statements.end(),
                     [](const LaneStatement &s) { return !s.target; });
}

// Instructions store to plain memory.
bool stores(const Block &body) {
  return any_of<For>(body, [](const For &loop) { return loop.lanes && stores(*loop.lanes); });
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
For &innermost_parallel(For &loop) {
  For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
  return inner && !inner->lanes && inner->mode == LoopMode::parallel ? innermost_parallel(*inner) : loop;
}

// `pending`: whether this thread's stores may not be seen by others where the block starts, and where it
// ends.
bool insert(Block &body, bool pending);

bool insert(For &loop, bool pending) {
  if (loop.lanes)
    return pending || stores(*loop.lanes);
  if (loop.mode != LoopMode::parallel)
    return insert(loop.body, pending || stores(loop.body)) || pending; // of the iterations before; or of none
  For &inner = innermost_parallel(loop);
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
    else if (Block *inner = body_of(stmt))
      pending = insert(*inner, pending) || pending;
  return pending;
}

} // namespace

void insert_lane_fences(LoopKernel &kernel) {
  insert(kernel.body, false);
}

} // namespace atl::accel
