// A place in the loop nest, and the walk through all of them.
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::lowering {

struct Surroundings {
  Facts facts;
  std::vector<std::string> variables;          // of the loops around
  std::vector<std::pair<Index, Index>> ranges; // of these: from, up to

  Surroundings inside(const For &loop) const;
  Surroundings where(const Pred &pred) const;
};
Surroundings around_body(const LoopKernel &kernel);

// Of kind instr, about this place; without a claim yet.
Obligation obligation_at(const LoopKernel &kernel, const Surroundings &around, Span span, std::string what);

// Each statement goes to the function for it, which goes on inside a loop or an allocation if it wants to.
template <class OnLoop, class OnAlloc, class OnStore>
void walk(Block &body, const Surroundings &around, const OnLoop &on_loop, const OnAlloc &on_alloc,
          const OnStore &on_store) {
  for (Stmt &stmt : body) {
    if (auto *loop = std::get_if<For>(&stmt.node))
      on_loop(*loop, around);
    else if (auto *branch = std::get_if<If>(&stmt.node))
      walk(branch->body, around.where(branch->pred), on_loop, on_alloc, on_store);
    else if (auto *alloc = std::get_if<Alloc>(&stmt.node))
      on_alloc(*alloc, around);
    else
      on_store(std::get<Store>(stmt.node));
  }
}

} // namespace atl::lowering
