#include "accel/blocks/cpu_nests.h"

#include "accel/blocks/block_nest.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/uses.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

using Names = std::set<std::string>;

bool is_wanted(const Requests &wanted, const std::string &tensor) {
  return std::any_of(wanted.on_cpu.begin(), wanted.on_cpu.end(),
                     [&](const Requests::OnCpu &asked) { return asked.tensor == tensor; });
}

template <class Chosen>
void temporaries(const Block &body, const Chosen &chosen, Names &into) {
  for_each<Alloc>(body, [&](const Alloc &alloc) {
    if (chosen(alloc))
      into.insert(alloc.buffer.name);
  });
}

bool is_scalar(const Alloc &alloc) {
  return alloc.storage == Alloc::Storage::scalar;
}
bool is_in_memory(const Alloc &alloc) {
  return !alloc.buffer.memory.empty();
}

class Problems {
public:
  explicit Problems(const LoopKernel &kernel) : wanted_(*kernel.requests) {
    temporaries(kernel.body, is_in_memory, unreachable_);
    visit(kernel.body);
    for (const Requests::OnCpu &asked : wanted_.on_cpu)
      if (!computed_.contains(asked.tensor))
        found.push_back({Code::step_refused,
                         asked.span,
                         fmt::format("no loops compute {}, and nothing else", asked.tensor),
                         {}});
  }

  Diagnostics found;

private:
  void visit(const Block &body) {
    for_each<For>(body, [&](const For &loop) {
      const bool on_cpu = runs_on_cpu(loop, wanted_);
      if (on_cpu)
        for_each<Store>(loop.body, [&](const Store &store) { look_at(store); });
      return !on_cpu;
    });
  }

  void look_at(const Store &store) {
    computed_.insert(store.buffer);
    for (const std::string &tensor : unreachable_)
      if (store.buffer == tensor || reads(store.value, tensor))
        found.push_back({Code::register_access,
                         store.span,
                         fmt::format("the CPU does not reach {}, which is kept in a memory", tensor),
                         {}});
  }

  const Requests &wanted_;
  Names unreachable_, computed_;
};

} // namespace

bool runs_on_cpu(const For &loop, const Requests &wanted) {
  Names own;
  temporaries(loop.body, is_scalar, own);
  bool any = false, all = true;
  for_each<Store>(loop.body, [&](const Store &store) {
    any = any || is_wanted(wanted, store.buffer);
    all = all && (own.contains(store.buffer) || is_wanted(wanted, store.buffer));
  });
  return any && all;
}

Diagnostics cpu_problems(const LoopKernel &kernel) {
  return Problems(kernel).found;
}

} // namespace atl::accel
