// The search for a fast schedule, with some sizes. Comes in: a kernel, a schedule for it, and a budget. Goes
// out: the fastest schedule that was found. Each is compiled through all stages, and its C is read back; its
// results are compared with those of the kernel as it is written. May use: what builds libraries.
#pragma once
#include "cbackend/host/interrupt.h"
#include "driver/tune/log.h"
#include "driver/tune/measure.h"

#include <chrono>

namespace atl::driver {

struct Budget {
  std::chrono::steady_clock::time_point end;
  std::optional<std::size_t> candidates; // at most so many, among them those in the log
};

// What there is to tune.
struct Subject {
  const Compilation &c;
  const Compiled &written, &base; // of `c`: the kernel as it is written, and under the schedule
  std::string name;               // of the schedule that is looked for
};

// What came of it, with some sizes.
struct Tuned {
  Valuation sizes;
  std::vector<Step> base, best;                              // for these sizes
  double as_written = 0, base_seconds = 0, best_seconds = 0; // the first one of a single run
  std::size_t candidates = 0, refused = 0;
};

// An error only if nothing could be measured, or the log cannot be written. `place`: "1 of 2: ", or nothing.
Result<Tuned> tune(const Subject &subject, const Inputs &inputs, const Budget &budget, Log &log,
                   const cbackend::EndsEarly &early, const std::string &place, proofs::Prover &prover);

// The schedule with these steps.
Schedule schedule_with(const Subject &subject, std::vector<Step> steps);

// One schedule out of those for several sizes, in the order of how much there is to compute: `specialize
// when` for all but the last. Sizes in between belong to those that they are closer to, by their ratio.
std::vector<Step> joined(std::vector<Tuned> all);

} // namespace atl::driver
