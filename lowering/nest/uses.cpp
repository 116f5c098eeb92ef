#include "lowering/nest/uses.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"

#include <algorithm>

namespace atl::lowering {

namespace {

// Another buffer of this name is meant inside.
bool hides(const Stmt &stmt, const std::string &buffer) {
  const Alloc *alloc = std::get_if<Alloc>(&stmt.node);
  return alloc && alloc->buffer.name == buffer;
}

} // namespace

bool reads(const Block &block, const std::string &buffer) {
  return std::any_of(block.begin(), block.end(), [&](const Stmt &stmt) {
    if (const Store *store = std::get_if<Store>(&stmt.node))
      return reads(store->value, buffer);
    return !hides(stmt, buffer) && reads(*body_of(stmt), buffer);
  });
}

int count_stores(const Block &block, const std::string &buffer) {
  int count = 0;
  for (const Stmt &stmt : block)
    if (const Store *store = std::get_if<Store>(&stmt.node))
      count += store->buffer == buffer ? 1 : 0;
    else if (!hides(stmt, buffer))
      count += count_stores(*body_of(stmt), buffer);
  return count;
}

bool stores_to(const Block &block, const std::string &buffer) {
  return any_of<Store>(block, [&](const Store &store) { return store.buffer == buffer; });
}

bool has_parallel_loop(const Block &block) {
  return any_of<For>(block, [](const For &loop) { return loop.mode == LoopMode::parallel; });
}

} // namespace atl::lowering
