#include "lowering/requests/last_instruction.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::lowering {

// It does nothing but combine its values with one cell.
static bool is_reduction(const For &loop) {
  const Store *store = loop.body.size() == 1 ? std::get_if<Store>(&loop.body[0].node) : nullptr;
  return store && store->combine && loop.mode == LoopMode::sequential &&
         !reads(store->value, store->buffer) &&
         std::none_of(store->indices.begin(), store->indices.end(),
                      [&](const Index &index) { return mentions(index, loop.var); });
}

// Whether a loop was marked.
static bool mark(Block &body, const Requests::Last &last) {
  bool marked = false;
  for_each<For>(body, [&](For &loop) {
    if (loop.var != last.loop || (loop.mode != LoopMode::vectorized && !is_reduction(loop)))
      return;
    loop.last = last;
    marked = true;
  });
  return marked;
}

Diagnostics mark_last_instructions(Block &body, const std::vector<Requests::Last> &requests) {
  Diagnostics problems;
  for (const Requests::Last &last : requests)
    if (!mark(body, last))
      problems.push_back(
          {Code::step_refused,
           last.span,
           fmt::format("in the end no vectorized loop, and no reduction, is called {}", last.loop),
           {{std::nullopt, "write `map` behind the steps that change the loop"}}});
  return problems;
}

} // namespace atl::lowering
