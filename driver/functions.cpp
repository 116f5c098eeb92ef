#include "driver/functions.h"

#include "lowering/nest/alternatives.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::driver {

namespace {

using lowering::LoopKernel;

// What `a` asks of the caller's tensors, `b` asks of them, too. Two for the same hardware have one name in C.
bool asks_no_more(const LoopKernel &a, const LoopKernel &b) {
  return a.hardware->name == b.hardware->name ||
         std::all_of(a.aligned.begin(), a.aligned.end(), [&](const auto &tensor) {
           auto found = b.aligned.find(tensor.first);
           return found != b.aligned.end() && found->second >= tensor.second;
         });
}

// Every call, on every CPU and with every C compiler, that has what `b` needs has what `a` needs.
bool serves_all_of(const LoopKernel &a, const LoopKernel &b) {
  if (!a.hardware)
    return true;
  if (!b.hardware || a.hardware->available != b.hardware->available)
    return false;
  if (!asks_no_more(a, b) || (a.aligns_temporaries && !b.aligns_temporaries))
    return false;
  const std::vector<std::string> &of_b = b.hardware->features;
  return std::all_of(
      a.hardware->features.begin(), a.hardware->features.end(),
      [&](const std::string &feature) { return std::find(of_b.begin(), of_b.end(), feature) != of_b.end(); });
}

// Two schedules in the order in which the CPU is asked.
std::optional<Diagnostic> never_runs(const Compiled &later, const Compiled &earlier) {
  if (!serves_all_of(*earlier.loops, *later.loops))
    return std::nullopt;
  auto name = [](const Compiled &k) { return k.schedule.empty() ? "none" : k.schedule; };
  return Diagnostic{
      Code::bad_argument,
      std::nullopt,
      fmt::format("{} under {} would never run: wherever it could, {} does", later.name, name(later),
                  name(earlier)),
      {{std::nullopt,
        "the first schedule counts whose instructions the CPU has; write those with more of them first, "
        "and at most one without any, as the last"}}};
}

} // namespace

bool is_automatic(const std::string &kernel, const Compilation &c, const Choice &choice) {
  return choice.by_default && c.automatic.contains(kernel);
}

Result<std::vector<LoopKernel>> functions_of(const std::vector<const Compiled *> &chosen,
                                             const Compilation &c, const Choice &choice,
                                             const std::string &prefix) {
  std::vector<LoopKernel> all;
  for (auto version = chosen.begin(); version != chosen.end(); ++version) {
    const std::string &kernel = (*version)->name;
    const bool is_one = choice.by_default ? is_automatic(kernel, c, choice) : !choice.schedule.empty();
    LoopKernel loops = *(*version)->loops;
    loops.laws = (*version)->laws;
    loops.name = prefix + (is_one ? kernel : loops.name);
    for (auto earlier = chosen.begin(); is_one && earlier != version; ++earlier)
      if ((*earlier)->name == kernel)
        if (auto problem = never_runs(**version, **earlier))
          return *problem;
    auto behind = std::find_if(all.rbegin(), all.rend(), [&](const LoopKernel &other) {
      return is_one && are_versions_of_one(other, loops);
    });
    all.insert(behind == all.rend() ? all.end() : behind.base(), std::move(loops));
  }
  return all;
}

} // namespace atl::driver
