#include "lowering/requests/prefetch.h"

#include "lowering/nest/uses.h"

#include <fmt/format.h>

namespace atl::lowering {

namespace {

bool in_registers(const Alloc &alloc, const std::string &tensor) {
  return alloc.buffer.name == tensor && !alloc.buffer.memory.empty();
}

// How many loops were marked.
int mark(Block &body, const Requests::Prefetch &prefetch) {
  int marked = 0;
  for (Stmt &stmt : body) {
    if (If *branch = std::get_if<If>(&stmt.node))
      marked += mark(branch->body, prefetch);
    if (Alloc *alloc = std::get_if<Alloc>(&stmt.node); alloc && !in_registers(*alloc, prefetch.tensor))
      marked += mark(alloc->body, prefetch);
    For *loop = std::get_if<For>(&stmt.node);
    if (!loop)
      continue;
    marked += mark(loop->body, prefetch);
    const bool runs_as_loop = loop->mode == LoopMode::sequential || loop->mode == LoopMode::parallel;
    if (loop->var != prefetch.loop || !runs_as_loop || !reads(loop->body, prefetch.tensor))
      continue;
    loop->prefetches.push_back({prefetch.tensor, prefetch.ahead});
    ++marked;
  }
  return marked;
}

} // namespace

Diagnostics mark_prefetches(Block &body, const std::vector<Requests::Prefetch> &prefetches) {
  Diagnostics problems;
  for (const Requests::Prefetch &prefetch : prefetches)
    if (mark(body, prefetch) == 0)
      problems.push_back(
          {Code::step_refused,
           prefetch.span,
           fmt::format("in the end no loop {} reads {} from memory, one iteration after the other",
                       prefetch.loop, prefetch.tensor),
           {{std::nullopt, "write `prefetch` behind the steps that change the loop"}}});
  return problems;
}

} // namespace atl::lowering
