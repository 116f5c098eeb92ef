#include "lowering/fetch.h"

#include "atl/rewrites/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::lowering {

namespace {

bool reads(const Block &body, const std::string &tensor) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt &stmt) {
    return match(
        stmt, [&](const For &loop) { return reads(loop.body, tensor); },
        [&](const If &branch) { return reads(branch.body, tensor); },
        [&](const Alloc &alloc) { return reads(alloc.body, tensor); },
        [&](const Store &store) { return rewrites::reads(store.value, tensor); });
  });
}

// How many loops were marked.
int mark(Block &body, const MappedTo::Fetch &fetch) {
  int marked = 0;
  for (Stmt &stmt : body) {
    if (If *branch = std::get_if<If>(&stmt.node))
      marked += mark(branch->body, fetch);
    if (Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      marked += mark(alloc->body, fetch);
    For *loop = std::get_if<For>(&stmt.node);
    if (!loop)
      continue;
    marked += mark(loop->body, fetch);
    const bool runs_as_loop = loop->mode == LoopMode::sequential || loop->mode == LoopMode::parallel;
    if (loop->var != fetch.loop || !runs_as_loop || !reads(loop->body, fetch.tensor))
      continue;
    loop->fetches.push_back({fetch.tensor, fetch.ahead});
    ++marked;
  }
  return marked;
}

} // namespace

Diagnostics mark_fetches(Block &body, const std::vector<MappedTo::Fetch> &fetches) {
  Diagnostics problems;
  for (const MappedTo::Fetch &fetch : fetches)
    if (mark(body, fetch) == 0)
      problems.push_back({Code::step_refused,
                          fetch.span,
                          fmt::format("in the end no loop {} reads {}, one iteration after the other",
                                      fetch.loop, fetch.tensor),
                          {{std::nullopt, "write `fetch` behind the steps that change the loop"}}});
  return problems;
}

} // namespace atl::lowering
