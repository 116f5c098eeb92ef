#include "driver/blame.h"

#include "driver/blame_hardware.h"

#include <algorithm>

namespace atl::driver {

namespace {

// Whether the program is right after the first so many steps. Instructions are left aside: what is not yet
// scheduled for them cannot be mapped.
bool is_right_after(std::size_t count, const Compiled &scheduled, const Asked &asked,
                    proofs::Prover &prover) {
  Asked first = asked;
  first.steps.resize(count);
  Compiled trial = start(scheduled.algorithm, scheduled.schedule);
  Diagnostics problems;
  run_stages(trial, {Stage::scheduled, Stage::equal, Stage::checked, Stage::lowered, Stage::proved}, first,
             prover, problems);
  return trial.proved;
}

// Number of the first step after which the program is refused, looked for by halving.
std::size_t first_wrong_step(const Compiled &scheduled, const Asked &asked, proofs::Prover &prover) {
  std::size_t right = 0, wrong = asked.steps.size();
  while (wrong - right > 1) {
    std::size_t middle = right + (wrong - right) / 2;
    (is_right_after(middle, scheduled, asked, prover) ? right : wrong) = middle;
  }
  return wrong - 1;
}

} // namespace

void name_step(Diagnostics &diagnostics, const Compiled &scheduled, const Asked &asked,
               proofs::Prover &prover) {
  Diagnostics others;
  for (Diagnostic &d : diagnostics)
    if (is_of_hardware(d))
      name_request(d, asked, scheduled.schedule);
    else
      others.push_back(d);
  if (others.empty())
    return;
  std::vector<Note> notes;
  bool undecided = std::any_of(others.begin(), others.end(), [](const Diagnostic &d) {
    return d.code == Code::obligation_unknown || d.code == Code::time_is_up;
  });
  if (asked.steps.empty() || undecided) { // what was not decided once takes as long again
    notes.push_back(
        {std::nullopt, "this is " + scheduled.name + " under its schedule " + scheduled.schedule});
  } else {
    const Step &step = asked.steps[first_wrong_step(scheduled, asked, prover)];
    notes.push_back({step.span, "since this step of the schedule " + scheduled.schedule});
    notes.insert(notes.end(), step.via.begin(), step.via.end());
  }
  for (Diagnostic &d : diagnostics)
    if (!is_of_hardware(d))
      d.notes.insert(d.notes.end(), notes.begin(), notes.end());
}

} // namespace atl::driver
