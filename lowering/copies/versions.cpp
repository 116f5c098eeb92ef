#include "lowering/copies/versions.h"

#include "atl/syntax/tree.h"
#include "lowering/copies/unroll.h"
#include "lowering/lower/lower.h"
#include "lowering/nest/apart.h"
#include "lowering/nest/walk.h"
#include "lowering/verify/verify.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::lowering {

namespace {

void rename_buffer(Block &block, const std::string &from, const std::string &to) {
  for_each<For>(block, [&](For &loop) {
    for (Ahead &ahead : loop.prefetches)
      ahead.buffer = ahead.buffer == from ? to : ahead.buffer;
  });
  for_each<Store>(block, [&](Store &store) {
    store.value = read_as(store.value, from, to);
    store.buffer = store.buffer == from ? to : store.buffer;
  });
}

// A buffer is known by its name in the whole kernel, so that each version has names of its own.
void rename_temporaries(Block &block, const std::string &suffix) {
  for_each<Alloc>(block, [&](Alloc &alloc) {
    std::string name = alloc.buffer.name + suffix;
    rename_buffer(alloc.body, alloc.buffer.name, name);
    alloc.buffer.name = name;
  });
}

// What the schedule of a version asks of its tensors, by the names that they have now: results keep theirs.
void add_requests(Requests &all, const Requests &one, const std::vector<Buffer> &results,
                  const std::string &suffix) {
  all.prefetches.insert(all.prefetches.end(), one.prefetches.begin(), one.prefetches.end());
  all.last.insert(all.last.end(), one.last.begin(), one.last.end());
  for (Requests::Pipelined pipeline : one.pipelined) {
    pipeline.tensor += suffix;
    all.pipelined.push_back(pipeline);
  }
  for (Requests::Drained drain : one.drained) {
    drain.tensor += suffix;
    all.drained.push_back(drain);
  }
  for (Requests::OnCpu on_cpu : one.on_cpu) {
    bool is_result = std::any_of(results.begin(), results.end(),
                                 [&](const Buffer &result) { return result.name == on_cpu.tensor; });
    on_cpu.tensor += is_result ? "" : suffix;
    all.on_cpu.push_back(on_cpu);
  }
}

} // namespace

std::string suffix_of_version(std::size_t number) {
  return fmt::format(".v{}", number + 1);
}

Result<LoopKernel> lower(const std::vector<Version> &versions, const std::vector<Pred> &assumptions,
                         const Hardware *hardware) {
  std::optional<LoopKernel> all;
  Pred none_before = truth(true);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const Version &version = versions[i];
    auto one = lower_unverified(version.normal, hardware, version.requests);
    if (!one)
      return one.errors();
    Block body = std::move(one->body);
    Pred chosen = conj(none_before, version.when);
    none_before = conj(none_before, positive_form(neg(version.when)));
    if (i > 0)
      rename_temporaries(body, suffix_of_version(i));
    if (!all) {
      all = std::move(*one);
      all->body.clear();
    } else {
      all->obligations.insert(all->obligations.end(), one->obligations.begin(), one->obligations.end());
      if (!all->requests)
        all->requests = one->requests;
      else if (one->requests)
        add_requests(*all->requests, *one->requests, all->outputs, suffix_of_version(i));
    }
    if (chosen->op == PredOp::truth)
      all->body = std::move(body);
    else
      all->body.push_back({If{chosen, std::move(body)}});
  }
  all->assumptions = assumptions;
  std::vector<Obligation> memory = verify(*all);
  all->obligations.insert(all->obligations.end(), memory.begin(), memory.end());
  auto unrolled = unroll(std::move(*all));
  if (unrolled)
    unrolled->apart = indices_apart(*unrolled);
  return unrolled;
}

Result<LoopKernel> lower(const padtypes::CheckedKernel &checked) {
  return lower({{truth(true), normal_form(checked)}}, checked.kernel.assumptions);
}

} // namespace atl::lowering
