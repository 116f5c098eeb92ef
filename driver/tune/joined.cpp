#include "driver/tune/tune.h"

#include "atl/schedule/auto/uses.h"
#include "atl/syntax/print_schedule.h"

#include <algorithm>
#include <cmath>

namespace atl::driver {

namespace {

double product(const Valuation &sizes) {
  double all = 1;
  for (const auto &[name, value] : sizes)
    all *= static_cast<double>(value);
  return all;
}

// Up to the geometric mean of these sizes and the next larger ones of the others. One of the sizes at least
// is larger there, as their product is no smaller.
Pred up_to(const Valuation &sizes, const std::vector<Tuned> &others) {
  Pred all = truth(true);
  for (const auto &[name, value] : sizes) {
    std::optional<std::int64_t> next;
    for (const Tuned &other : others)
      if (const std::int64_t there = other.sizes.at(name); there > value && there < next.value_or(INT64_MAX))
        next = there;
    if (!next)
      continue;
    const auto limit =
        static_cast<std::int64_t>(std::sqrt(static_cast<double>(value) * static_cast<double>(*next)));
    all = conj(all, compare(PredOp::le, variable(name), constant(limit)));
  }
  return all;
}

} // namespace

std::vector<Step> joined(std::vector<Tuned> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Tuned &a, const Tuned &b) { return product(a.sizes) < product(b.sizes); });
  std::vector<Step> steps;
  while (all.size() > 1) {
    const Tuned first = all.front();
    all.erase(all.begin());
    const bool is_same = std::all_of(
        all.begin(), all.end(), [&](const Tuned &other) { return print(other.best) == print(first.best); });
    if (!is_same)
      steps.push_back(schedule::specialize_step(up_to(first.sizes, all), first.best, {}));
  }
  steps.insert(steps.end(), all.front().best.begin(), all.front().best.end());
  return steps;
}

} // namespace atl::driver
