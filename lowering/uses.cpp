#include "lowering/uses.h"

#include "atl/rewrites/tree.h"

#include <algorithm>

namespace atl::lowering {

bool reads(const Block &block, const std::string &buffer) {
  return std::any_of(block.begin(), block.end(), [&](const Stmt &stmt) {
    return match(
        stmt, [&](const For &loop) { return reads(loop.body, buffer); },
        [&](const If &branch) { return reads(branch.body, buffer); },
        [&](const Alloc &alloc) { return alloc.buffer.name != buffer && reads(alloc.body, buffer); },
        [&](const Store &store) { return rewrites::reads(store.value, buffer); });
  });
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
