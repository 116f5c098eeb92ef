#include "driver/tune/tune.h"

#include "atl/syntax/print_schedule.h"
#include "driver/automatic_text.h"
#include "driver/compile_kernels.h"
#include "driver/console.h"
#include "driver/progress.h"
#include "driver/tune/report.h"
#include "driver/tune/search.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace atl::driver {

namespace {

using Clock = std::chrono::steady_clock;

// Its schedule with the other candidates of its steps `auto`: first as it is, then one at a time.
std::vector<std::vector<Step>> beginnings(const Subject &subject, const Valuation &sizes) {
  const std::vector<Step> &steps = schedule_of(subject.base, *subject.c.program).steps;
  std::vector<std::vector<Step>> all{steps_at(without_auto(steps, subject.base.chosen), sizes)};
  for (std::size_t i = 0; i < subject.base.chosen.size(); ++i) {
    std::vector<schedule::Chosen> other = subject.base.chosen;
    const std::size_t candidates = other[i].decision.candidates.size(), taken = other[i].choice;
    for (other[i].choice = 0; other[i].choice <= candidates; ++other[i].choice) // the last one does nothing
      if (other[i].choice != taken)
        all.push_back(steps_at(without_auto(steps, other), sizes));
  }
  return all;
}

// What a terminal shows while it goes on.
struct State {
  std::mutex mutex;
  std::size_t candidates = 0;
  double base = 0, best = 0; // seconds
};

std::string line_of(State &state, const Subject &subject, const std::string &place, const Budget &budget,
                    double seconds) {
  std::lock_guard guard(state.mutex);
  const double left = std::chrono::duration<double>(budget.end - Clock::now()).count();
  const std::string best =
      state.best == 0 ? ""
                      : fmt::format(", best {} ({:.2f} x)", in_words(state.best), state.base / state.best);
  return fmt::format("{}{}: {} candidates, {:.1f} per second{}, {:.0f} s left", place, subject.written.name,
                     state.candidates, static_cast<double>(state.candidates) / seconds, best,
                     std::max(left, 0.0));
}

// One search. `hasty` decides in little time, as there are many candidates.
struct Tuning {
  const Subject &subject;
  const Valuation &sizes;
  const Budget &budget;
  const cbackend::EndsEarly &early;
  Stopwatch watch;
  proofs::Prover &hasty;
  Log &log;
  State state = {};

  bool is_over(std::size_t candidates) const {
    return early.is_asked() || candidates >= budget.candidates.value_or(SIZE_MAX) ||
           (candidates > 0 && Clock::now() >= budget.end);
  }

  Trial attempt(const std::vector<Step> &steps, std::optional<double> best) {
    Trial trial{sizes, print(steps), {}, {}};
    const Hush quietly;
    const Attempt made = compile_under(subject.c, subject.written, schedule_with(subject, steps), hasty);
    const Result<double> seconds =
        made.problems.empty() ? watch.measure(made.compiled, hasty, best) : Result<double>(made.problems);
    if (seconds)
      trial.seconds = *seconds;
    else
      trial.refused = fmt::format("{}: {}", code_name(seconds.errors()[0].code), seconds.errors()[0].message);
    return trial;
  }

  // Of the log, or measured now.
  Result<Trial> result_of(const std::vector<Step> &steps, std::optional<double> best) {
    if (const Trial *known = log.find(sizes, print(steps)))
      return *known;
    Trial trial = attempt(steps, best);
    detail("{}{}", trial.seconds ? in_words(*trial.seconds) : trial.refused, "\n" + trial.steps);
    if (auto problem = log.add(trial))
      return *problem;
    return trial;
  }

  Result<Tuned> run(const std::string &place) {
    const std::vector<std::vector<Step>> first = beginnings(subject, sizes);
    Search search(first);
    Tuned tuned{sizes, first[0], first[0], watch.as_written()};
    const Progress progress([&](double s) { return line_of(state, subject, place, budget, s); });
    std::optional<double> best;
    while (!is_over(tuned.candidates)) {
      const auto steps = search.next();
      if (!steps)
        break;
      const Result<Trial> trial = result_of(*steps, best);
      if (!trial)
        return trial.errors();
      search.learn(trial->seconds);
      ++tuned.candidates;
      tuned.refused += trial->seconds ? 0 : 1;
      if (trial->seconds && (!best || *trial->seconds < *best))
        best = trial->seconds;
      std::lock_guard guard(state.mutex);
      state.candidates = tuned.candidates;
      state.best = best.value_or(0);
      state.base = tuned.candidates == 1 ? state.best : state.base;
    }
    tuned.best = search.best();
    return tuned;
  }

  // Once more, side by side: the fastest of many is also one that was lucky.
  std::optional<Diagnostic> compare(Tuned &tuned) {
    for (auto [steps, seconds] :
         {std::pair{&tuned.base, &tuned.base_seconds}, {&tuned.best, &tuned.best_seconds}}) {
      const Trial trial = attempt(*steps, std::nullopt);
      if (!trial.seconds)
        return Diagnostic{
            Code::bad_argument, std::nullopt, "the schedule cannot be measured: " + trial.refused, {}};
      *seconds = *trial.seconds;
    }
    if (tuned.best_seconds >= tuned.base_seconds) {
      tuned.best = tuned.base;
      tuned.best_seconds = tuned.base_seconds;
    }
    return std::nullopt;
  }
};

} // namespace

Schedule schedule_with(const Subject &subject, std::vector<Step> steps) {
  Schedule schedule = schedule_of(subject.base, *subject.c.program);
  std::erase_if(schedule.kernels, [&](const ScheduleParam &k) { return k.name != subject.written.name; });
  schedule.name = subject.name;
  schedule.steps = std::move(steps);
  return schedule;
}

Result<Tuned> tune(const Subject &subject, const Inputs &inputs, const Budget &budget, Log &log,
                   const cbackend::EndsEarly &early, const std::string &place, proofs::Prover &prover) {
  auto watch = Stopwatch::make(subject.written, inputs, prover);
  if (!watch)
    return watch.errors();
  constexpr unsigned milliseconds = 10000;
  proofs::Prover hasty(milliseconds);
  hasty.learn(prover);
  Tuning tuning{subject, inputs.sizes, budget, early, std::move(*watch), hasty, log};
  auto tuned = tuning.run(place);
  if (tuned)
    if (auto problem = tuning.compare(*tuned))
      return *problem;
  return tuned;
}

} // namespace atl::driver
