#include "driver/stages.h"

#include "accel/map_loops.h"
#include "atl/base/check.h"
#include "atl/equality/agreement.h"
#include "atl/syntax/print.h"
#include "driver/confirm.h"
#include "driver/example_sizes.h"
#include "driver/in_time.h"
#include "lowering/copies/versions.h"
#include "lowering/verify/verify.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace atl::driver {

namespace {

// failed: there is nothing for the next stage. open: there is, but not everything is proved.
enum class Outcome { done, open, failed };

// One kernel on its way. Each function that takes it and gives an outcome is a stage.
struct Run {
  Compiled &compiled;
  const Asked &asked;
  proofs::Prover &prover;
  Diagnostics &diagnostics;

  Outcome fail(const Diagnostics &problems) const {
    diagnostics.insert(diagnostics.end(), problems.begin(), problems.end());
    return Outcome::failed;
  }
  Outcome prove(const std::vector<Obligation> &obligations) const {
    return discharge(obligations, prover, compiled.decided, diagnostics) ? Outcome::done : Outcome::open;
  }
};

Outcome typed(const Run &run) {
  auto example = example_sizes(run.compiled.algorithm, run.prover);
  if (!example)
    return run.fail(example.errors());
  run.compiled.example = std::move(*example);
  return run.prove(run.compiled.algorithm.obligations);
}

Outcome scheduled(const Run &run) {
  Compiled &c = run.compiled;
  if (c.schedule.empty()) {
    c.versions = {{truth(true), c.algorithm, equality::themselves(c.algorithm), {}, {}}};
    c.program = c.algorithm;
    return Outcome::done;
  }
  auto judge = [&](const Obligation &condition) {
    c.decided.push_back({condition, run.prover.decide(condition)});
    return proofs::explain(condition, c.decided.back().verdict);
  };
  auto proves = [&](const Obligation &o) { return run.prover.proves(o); };
  auto judge_equality = [&](const Obligation &o, const TypedKernel &before, const TypedKernel &after) {
    c.decided.push_back({o, confirmed(o, run.prover.decide(o), before, after)});
    return proofs::explain(o, c.decided.back().verdict);
  };
  schedule::Setting setting{c.name + "_" + c.schedule, {}, proves, judge_equality, run.asked.automatic};
  for (const accel::Target &target : run.asked.targets)
    setting.hardware.push_back(target.hardware.get());
  auto outcome = schedule::run(c.algorithm, run.asked.steps, judge, setting);
  if (auto *failure = std::get_if<schedule::Failure>(&outcome)) {
    c.steps = std::move(failure->steps);
    c.chosen = std::move(failure->chosen);
    const schedule::State now = c.steps.empty() ? schedule::State{c.algorithm, {}} : c.steps.back().after;
    failure->diagnostics.back().notes.push_back({std::nullopt, "the kernel is now\n" + print(now)});
    return run.fail(failure->diagnostics);
  }
  schedule::Scheduled &result = std::get<schedule::Scheduled>(outcome);
  c.steps = std::move(result.steps);
  c.versions = std::move(result.versions);
  c.chosen = std::move(result.chosen);
  c.program = c.versions.back().kernel;
  c.program.assumptions = c.algorithm.assumptions;
  return Outcome::done;
}

// Each version computes what the algorithm does.
Outcome equal(const Run &run) {
  Compiled &c = run.compiled;
  if (c.schedule.empty())
    return Outcome::done;
  auto proves = [&](const Obligation &o) { return run.prover.proves(o); };
  Outcome outcome = Outcome::done;
  std::vector<std::string> laws;
  for (const schedule::Version &version : c.versions) {
    auto equality = equality::equal_obligations(c.algorithm, version.kernel, version.prophecies,
                                                run.asked.span, version.reindexing);
    auto confirm = [&](const Obligation &o, proofs::Verdict verdict) {
      return confirmed(o, std::move(verdict), c.algorithm, version.kernel);
    };
    if (!discharge(equality.obligations, run.prover, c.decided, run.diagnostics, confirm))
      outcome = Outcome::open;
    if (outcome == Outcome::open && !run.asked.look)
      return outcome;
    equality::note_laws(equality, proves, laws);
    c.used.insert(equality.laws.begin(), equality.laws.end());
    c.equalities.push_back(std::move(equality));
  }
  for (const std::string &law : std::exchange(c.laws, laws)) // of instructions, where they came first
    if (std::find(laws.begin(), laws.end(), law) == laws.end())
      c.laws.push_back(law);
  return outcome;
}

Outcome checked(const Run &run) {
  std::vector<Obligation> all;
  for (const schedule::Version &version : run.compiled.versions) {
    const auto &pads = run.compiled.checked.emplace_back(padtypes::check_pads(version.kernel));
    all.insert(all.end(), pads.obligations.begin(), pads.obligations.end());
  }
  return run.prove(all);
}

// The hardware that a version's requests are made to; null: none are made.
const accel::Target *target_of(const Run &run) {
  for (const schedule::Version &version : run.compiled.versions)
    for (const accel::Target &target : run.asked.targets)
      if (version.requests && target.hardware->name == version.requests->hardware)
        return &target;
  return nullptr;
}

Outcome lowered(const Run &run) {
  Compiled &c = run.compiled;
  for (std::size_t i = 0; i < c.versions.size(); ++i)
    c.lowered.push_back({c.versions[i].when, lowering::normal_form(c.checked[i]), c.versions[i].requests});
  const accel::Target *target = target_of(run);
  auto loops = lowering::lower(c.lowered, c.algorithm.assumptions, target ? target->hardware.get() : nullptr);
  if (!loops)
    return run.fail(loops.errors());
  c.loops = std::move(*loops);
  return Outcome::done;
}

// The same loop nest with the instructions that the schedule asks for.
Outcome mapped(const Run &run) {
  Compiled &c = run.compiled;
  const accel::Target *target = target_of(run);
  if (!target)
    return Outcome::done;
  auto loops = accel::map_loops(*std::exchange(c.loops, std::nullopt), *target);
  if (!loops)
    return run.fail(loops.errors());
  c.loops = std::move(*loops);
  if (c.loops->requests->contracts)
    equality::note_contracted(c.algorithm, c.laws);
  if (c.loops->reorders)
    equality::note_reordered_lanes(c.algorithm, c.laws);
  return Outcome::done;
}

// The kernel allows what the schedule does to its floats.
Outcome rounded(const Run &run) {
  const Compiled &c = run.compiled;
  std::set<Rounding> missing;
  std::vector<std::string> done;
  for (const std::string &law : c.laws)
    if (const Rounding needed = equality::rounding_for(law); !c.algorithm.rounding.allowed.contains(needed)) {
      missing.insert(needed);
      done.push_back(law);
    }
  if (missing.empty())
    return Outcome::done;
  std::string words;
  for (Rounding rounding : missing)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", word_of(rounding));
  const RoundingClause &clause = c.algorithm.rounding;
  Diagnostic problem{Code::rounding_not_allowed,
                     run.asked.span,
                     fmt::format("{} under {} rounds in another way than the kernel: {}", c.name, c.schedule,
                                 fmt::join(done, "; ")),
                     {{c.algorithm.span, fmt::format("{} allows that with `rounding {}`", c.name, words)}}};
  problem.fixes = {{fmt::format("if {} may round so, say it in the kernel", c.schedule),
                    {{clause.behind, clause.allowed.empty() ? "rounding " + words + " " : ", " + words}}}};
  run.diagnostics.push_back(std::move(problem));
  return Outcome::open;
}

Outcome proved(const Run &run) {
  std::vector<Obligation> &all = run.compiled.loops->obligations;
  const std::vector<Obligation> code = lowering::verify_code(*run.compiled.loops);
  all.insert(all.end(), code.begin(), code.end());
  return run.prove(all);
}

Outcome run_work(Stage stage, const Run &run) {
  switch (stage) {
  case Stage::typed: return typed(run);
  case Stage::scheduled: return scheduled(run);
  case Stage::equal: return equal(run);
  case Stage::checked: return checked(run);
  case Stage::lowered: return lowered(run);
  case Stage::mapped: return mapped(run);
  case Stage::rounded: return rounded(run);
  case Stage::proved: return proved(run);
  }
  ATL_CHECK(false, "a stage that does nothing");
}

std::string_view work_of(Stage stage) {
  switch (stage) {
  case Stage::typed: return "deciding the obligations of";
  case Stage::scheduled: return "scheduling";
  case Stage::equal: return "comparing with its algorithm";
  case Stage::checked: return "the pad check of";
  case Stage::lowered: return "lowering";
  case Stage::mapped: return "mapping to instructions";
  case Stage::rounded: return "looking at the rounding of";
  case Stage::proved: return "verifying the loop nest of";
  }
  ATL_CHECK(false, "a stage that does nothing");
}

// The stage's own work; the solver has the same time for each question.
Outcome run_stage(Stage stage, const Run &run) {
  const Compiled &c = run.compiled;
  const std::string kernel = c.schedule.empty() ? c.name : c.name + " under " + c.schedule;
  Outcome outcome = Outcome::failed;
  auto late = in_time(run.prover.timeout_ms(), fmt::format("{} {}", work_of(stage), kernel),
                      c.schedule.empty() ? c.algorithm.span : run.asked.span,
                      [&] { outcome = run_work(stage, run); });
  return late ? run.fail({*late}) : outcome;
}

bool is_told(const Diagnostic &problem, const Diagnostics &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic &d) {
    bool same_mistake = d.code == problem.code || problem.code == Code::obligation_unknown;
    return same_mistake && d.span && problem.span && d.span->file == problem.span->file &&
           d.span->begin == problem.span->begin && d.span->end == problem.span->end;
  });
}

} // namespace

Compiled start(TypedKernel algorithm, std::string schedule) {
  Compiled compiled;
  compiled.name = algorithm.name;
  compiled.schedule = std::move(schedule);
  compiled.algorithm = std::move(algorithm);
  return compiled;
}

void run_stages(Compiled &compiled, const std::vector<Stage> &stages, const Asked &asked,
                proofs::Prover &prover, Diagnostics &diagnostics) {
  const Run run{compiled, asked, prover, diagnostics};
  bool all_proved = true;
  for (Stage stage : stages) {
    const Outcome outcome = run_stage(stage, run);
    all_proved = all_proved && outcome == Outcome::done;
    if (outcome == Outcome::failed || (outcome == Outcome::open && !asked.look))
      return;
  }
  compiled.proved = all_proved && stages.back() == Stage::proved;
}

bool discharge(const std::vector<Obligation> &obligations, proofs::Prover &prover,
               std::vector<Decided> &decided, Diagnostics &diagnostics, const Confirm &confirm) {
  std::vector<proofs::Verdict> verdicts = prover.decide_all(obligations);
  bool all = true;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    if (confirm)
      verdicts[i] = confirm(obligations[i], std::move(verdicts[i]));
    decided.push_back({obligations[i], std::move(verdicts[i])});
    auto problem = proofs::explain(obligations[i], decided.back().verdict);
    all = all && !problem;
    if (problem)
      tell(*problem, diagnostics);
  }
  return all;
}

void tell(const Diagnostic &problem, Diagnostics &diagnostics) {
  if (!is_told(problem, diagnostics))
    diagnostics.push_back(problem);
}

} // namespace atl::driver
