#include "lowering/nest/uses.h"

#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::lowering {

bool reads(const Block &block, const std::string &buffer) {
  return std::any_of(block.begin(), block.end(), [&](const Stmt &stmt) {
    return match(
        stmt, [&](const For &loop) { return reads(loop.body, buffer); },
        [&](const If &branch) { return reads(branch.body, buffer); },
        [&](const Alloc &alloc) { return alloc.buffer.name != buffer && reads(alloc.body, buffer); },
        [&](const Store &store) { return reads(store.value, buffer); });
  });
}

void for_each_store(const Block &body, const std::function<void(const Store &)> &visit) {
  for (const Stmt &stmt : body)
    match(
        stmt, [&](const For &loop) { for_each_store(loop.body, visit); },
        [&](const If &branch) { for_each_store(branch.body, visit); },
        [&](const Alloc &alloc) { for_each_store(alloc.body, visit); }, visit);
}

bool stores_to(const Block &body, const std::string &tensor) {
  bool any = false;
  for_each_store(body, [&](const Store &store) { any = any || store.buffer == tensor; });
  return any;
}

int count_stores(const Block &block, const std::string &buffer) {
  int count = 0;
  for (const Stmt &stmt : block)
    count += match(
        stmt, [&](const For &loop) { return count_stores(loop.body, buffer); },
        [&](const If &branch) { return count_stores(branch.body, buffer); },
        [&](const Alloc &alloc) {
          return alloc.buffer.name == buffer ? 0 : count_stores(alloc.body, buffer);
        },
        [&](const Store &store) { return store.buffer == buffer ? 1 : 0; });
  return count;
}

bool has_parallel_loop(const Block &block) {
  return std::any_of(block.begin(), block.end(), [](const Stmt &stmt) {
    return match(
        stmt, [](const For &loop) { return loop.mode == LoopMode::parallel || has_parallel_loop(loop.body); },
        [](const If &branch) { return has_parallel_loop(branch.body); },
        [](const Alloc &alloc) { return has_parallel_loop(alloc.body); },
        [](const Store &) { return false; });
  });
}

} // namespace atl::lowering
