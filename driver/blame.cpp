#include "driver/blame.h"

#include "atl/equality/equality.h"
#include "atl/schedule/run.h"
#include "lowering/copies/versions.h"

#include <algorithm>

namespace atl::driver {

namespace {

class Trial {
public:
  Trial(const TypedKernel &algorithm, const std::vector<Step> &steps, proofs::Prover &prover)
      : algorithm_(algorithm), steps_(steps), prover_(prover) {}

  // Only the first so many steps; their conditions are proved already.
  bool is_right_after(std::size_t count) {
    std::vector<Step> first(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(count));
    auto outcome =
        schedule::run(algorithm_, first, [](const Obligation &) { return std::optional<Diagnostic>(); });
    auto *done = std::get_if<schedule::Scheduled>(&outcome);
    return done && is_right(*done);
  }

private:
  bool is_right(const schedule::Scheduled &done) {
    std::vector<lowering::Version> versions;
    for (const schedule::Version &version : done.versions) {
      auto equality = equality::equal_obligations(algorithm_, version.kernel, version.prophecies,
                                                  algorithm_.span, version.reindexing);
      versions.push_back({version.when, padtypes::check_pads(version.kernel)});
      if (!all_proved(equality.obligations) || !all_proved(versions.back().checked.obligations))
        return false;
    }
    auto loops = lowering::lower(versions, algorithm_.assumptions);
    return loops && all_proved(loops->obligations);
  }

  bool all_proved(const std::vector<Obligation> &obligations) {
    return std::all_of(obligations.begin(), obligations.end(),
                       [&](const Obligation &o) { return prover_.proves(o); });
  }

  const TypedKernel &algorithm_;
  const std::vector<Step> &steps_;
  proofs::Prover &prover_;
};

// Number of the first step after which the program is refused, looked for by halving.
std::size_t first_wrong_step(Trial &trial, std::size_t count) {
  std::size_t right = 0, wrong = count;
  while (wrong - right > 1) {
    std::size_t middle = right + (wrong - right) / 2;
    (trial.is_right_after(middle) ? right : wrong) = middle;
  }
  return wrong - 1;
}

} // namespace

void name_step(Diagnostics &diagnostics, const std::string &schedule, const TypedKernel &algorithm,
               const std::vector<Step> &steps, proofs::Prover &prover) {
  std::vector<Note> notes;
  bool undecided = std::any_of(diagnostics.begin(), diagnostics.end(),
                               [](const Diagnostic &d) { return d.code == Code::obligation_unknown; });
  if (steps.empty() || undecided) { // what was not decided once takes as long again
    notes.push_back({std::nullopt, "this is " + algorithm.name + " under its schedule " + schedule});
  } else {
    Trial trial(algorithm, steps, prover);
    const Step &step = steps[first_wrong_step(trial, steps.size())];
    notes.push_back({step.span, "since this step of the schedule " + schedule});
    notes.insert(notes.end(), step.via.begin(), step.via.end());
  }
  for (Diagnostic &d : diagnostics)
    d.notes.insert(d.notes.end(), notes.begin(), notes.end());
}

} // namespace atl::driver
