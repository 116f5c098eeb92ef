#include "driver/compile_kernels.h"

#include "atl/base/workers.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "driver/automatic.h"
#include "driver/automatic_text.h"
#include "driver/blame.h"
#include "driver/callers.h"
#include "driver/console.h"
#include "driver/in_time.h"
#include "driver/progress.h"
#include "driver/strategies.h"
#include "driver/suits.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace atl::driver {

namespace {

// The hardware descriptions whose instructions have a proved meaning.
void check_targets(Compilation &c, proofs::Prover &prover) {
  for (const Hardware &hardware : c.program->hardware) {
    std::optional<Result<accel::Target>> made;
    if (!does_in_time(prover.timeout_ms(), "reading the hardware " + hardware.name, hardware.span,
                      c.diagnostics, [&] { made = accel::make_target(hardware, *c.program); }))
      continue;
    Result<accel::Target> &target = *made;
    if (!target) {
      c.diagnostics.insert(c.diagnostics.end(), target.errors().begin(), target.errors().end());
      continue;
    }
    std::vector<Decided> meanings; // which nobody lists
    if (discharge(target->obligations, prover, meanings, c.diagnostics))
      c.targets.push_back(std::move(*target));
  }
}

const std::vector all_stages{Stage::typed,   Stage::scheduled, Stage::equal,   Stage::checked,
                             Stage::lowered, Stage::mapped,    Stage::rounded, Stage::proved};
// What a schedule is for is right as it is written.
const std::vector scheduled_stages(all_stages.begin() + 1, all_stages.end());
// What `auto` tries is proved only if the hardware can do it: proofs take most of the time.
const std::vector automatic_stages{Stage::scheduled, Stage::checked, Stage::lowered, Stage::mapped,
                                   Stage::equal,     Stage::rounded, Stage::proved};

// A definition as it is written, or a kernel under a schedule, while it is compiled beside others.
struct Unit {
  proofs::Prover prover;
  Compiled compiled;
  Diagnostics problems = {};
  std::vector<std::string> tried = {}; // by steps `auto`, in vain
};
using Units = std::vector<std::unique_ptr<Unit>>;

void compile_written(Unit &unit, const Choice &choice) {
  const Asked asked{{}, unit.compiled.algorithm.span, {}, choice.look};
  run_stages(unit.compiled, all_stages, asked, unit.prover, unit.problems);
}

const Kernel &kernel_named(const std::string &name, const Program &program) {
  return *std::find_if(program.kernels.begin(), program.kernels.end(),
                       [&](const Kernel &kernel) { return kernel.name == name; });
}

// Groups of `size` are compiled at a time, and share a solver. They do not depend on the number of cores.
void run_all(const Units &units, std::size_t size, Count &count,
             const std::function<void(std::size_t)> &compile_one) {
  for_each_number((units.size() + size - 1) / size, [&](std::size_t group) {
    for (std::size_t i = group * size; i < std::min((group + 1) * size, units.size()); ++i, ++count.done) {
      if (i > group * size)
        units[i]->prover.take_solver(units[i - 1]->prover);
      compile_one(i);
    }
    units[std::min((group + 1) * size, units.size()) - 1]->prover.free_solver();
  });
}

void tell_of(const Compiled &compiled) {
  double ms = 0;
  for (const Decided &d : compiled.decided)
    ms += d.verdict.milliseconds;
  detail("{}{}: {} obligations in {:.1f} ms{}\n", compiled.name,
         compiled.schedule.empty() ? "" : " under " + compiled.schedule, compiled.decided.size(), ms,
         compiled.proved ? "" : ", not all proved");
}

// The units of the kernels. Functions first: a mistake in one is told where it stands, and not again for each
// kernel that calls it.
Units compile_all_written(Compilation &c, TypedProgram typed, proofs::Prover &prover, Count &count,
                          const Choice &choice) {
  Units units;
  for (auto *definitions : {&typed.functions, &typed.kernels})
    for (TypedKernel &definition : *definitions)
      units.emplace_back(new Unit{proofs::Prover(&prover), start(std::move(definition))});
  constexpr std::size_t together = 8; // most take as long as making a solver
  run_all(units, together, count, [&](std::size_t i) { compile_written(*units[i], choice); });
  for (std::size_t i = 0; i < units.size(); ++i) {
    (i < typed.functions.size() ? c.functions : c.kernels).push_back(std::move(units[i]->compiled));
    for (const Diagnostic &problem : units[i]->problems)
      tell(problem, c.diagnostics);
  }
  for (Compiled &kernel : c.kernels)
    kernel.is_private = kernel_named(kernel.name, *c.program).is_private;
  withdraw_callers(*c.program, c.functions, c.kernels);
  for (const auto *definitions : {&c.functions, &c.kernels})
    for (const Compiled &definition : *definitions)
      tell_of(definition);
  units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(typed.functions.size()));
  return units;
}

void compile_stages(Unit &unit, const std::vector<Stage> &stages, const Asked &asked) {
  run_stages(unit.compiled, stages, asked, unit.prover, unit.problems);
  const bool is_rounding = std::all_of(unit.problems.begin(), unit.problems.end(), [](const Diagnostic &d) {
    return d.code == Code::rounding_not_allowed; // of the whole schedule, whatever its last step shows
  });
  if (!is_rounding && !unit.compiled.versions.empty()) // all steps were applied
    name_step(unit.problems, unit.compiled, asked, unit.prover);
}

void compile_scheduled(Unit &unit, const Asked &asked) {
  compile_stages(unit, scheduled_stages, asked);
}

void note_why_not(Unit &unit) {
  if (unit.problems.empty() || unit.compiled.chosen.empty())
    return;
  const schedule::Chosen &last = unit.compiled.chosen.back();
  unit.tried.push_back(fmt::format(
      "{} under {}: {}: {} does not fit: {}", unit.compiled.name, unit.compiled.schedule,
      last.decision.tensor, last.taken() ? last.taken()->reason : "to do nothing", unit.problems[0].message));
}

// Its steps `auto` take what succeeds.
void compile_automatic(Unit &unit, const Asked &asked) {
  const Compiled before = std::move(unit.compiled);
  Attempt found = choose_automatically(asked.automatic, [&](const schedule::Automatic &automatic) {
    unit.compiled = before;
    unit.problems.clear();
    compile_stages(unit, automatic_stages, {asked.steps, asked.span, asked.targets, asked.look, automatic});
    note_why_not(unit);
    return Attempt{std::move(unit.compiled), std::move(unit.problems)};
  });
  unit.compiled = std::move(found.compiled);
  unit.problems = std::move(found.problems);
}

// The schedules chosen, each with a kernel that it is for. In a program that is wrong, nobody waits for those
// that are added by default.
std::vector<std::pair<const Schedule *, const Kernel *>> applications(const Compilation &c,
                                                                      const Choice &choice) {
  auto is_wanted = [&](const Schedule &schedule, const Kernel &kernel) {
    return schedule.params.empty() && choice.names(kernel.name) && choice.wants(schedule.name) &&
           (c.ok() || !choice.by_default || !c.automatic.contains(kernel.name));
  };
  std::vector<std::pair<const Schedule *, const Kernel *>> all;
  for (const Schedule &schedule : c.program->schedules)
    for (const ScheduleParam &target : schedule.kernels)
      for (const Kernel &kernel : c.program->kernels)
        if (kernel.name == target.name && is_wanted(schedule, kernel))
          all.emplace_back(&schedule, &kernel);
  return all;
}

// A schedule for hardware that nobody named, which has no more for the kernel than what it extends.
bool is_for_others(const Schedule &schedule, const TypedKernel &kernel, const Program &program,
                   const Choice &choice) {
  if (choice.hardware != all_hardware)
    return false;
  auto is_asked_for = [&](const Hardware &hardware) {
    return lists(automatic_schedules(all_hardware), automatic_schedule(hardware.name));
  };
  for (const Hardware &hardware : program.hardware)
    if (schedule.name == automatic_schedule(hardware.name))
      return std::any_of(program.hardware.begin(), program.hardware.end(), [&](const Hardware &other) {
        return is_asked_for(other) && !adds_to(hardware, other, kernel);
      });
  return false;
}

std::unique_ptr<Unit> unit_for(const Compiled &written, const Schedule &schedule,
                               const proofs::Prover &known) {
  std::unique_ptr<Unit> unit(new Unit{proofs::Prover(&known), start(written.algorithm, schedule.name)});
  unit->compiled.example = written.example;
  unit->compiled.is_private = written.is_private;
  unit->compiled.has_private_schedule = schedule.is_private;
  return unit;
}

// Every schedule chosen, of every kernel that is right as it is written. `written`: the units of `c.kernels`.
void compile_schedules(Compilation &c, const Units &written, proofs::Prover &prover, Count &count,
                       const Choice &choice) {
  const schedule::Definitions definitions(*c.program);
  Units units;
  std::vector<std::pair<const Schedule *, std::vector<Step>>> applied;
  for (const auto &[schedule, kernel] : applications(c, choice)) {
    const auto algorithm = std::find_if(c.kernels.begin(), c.kernels.end(),
                                        [name = kernel->name](const Compiled &k) { return k.name == name; });
    if (algorithm == c.kernels.end() || !algorithm->proved ||
        is_for_others(*schedule, algorithm->algorithm, *c.program, choice))
      continue;
    std::optional<Result<std::vector<Step>>> steps;
    if (!does_in_time(prover.timeout_ms(), "expanding the schedule " + schedule->name, schedule->span,
                      c.diagnostics, [&, s = schedule, k = kernel] { steps = expand(*s, definitions, *k); }))
      continue;
    if (!*steps) {
      c.diagnostics.insert(c.diagnostics.end(), steps->errors().begin(), steps->errors().end());
      continue;
    }
    const proofs::Prover &before = written[static_cast<std::size_t>(algorithm - c.kernels.begin())]->prover;
    units.push_back(unit_for(*algorithm, *schedule, before));
    applied.emplace_back(schedule, std::move(**steps));
  }
  const Expand expand_strategies = strategies_of(*c.program, c.sources, definitions);
  run_all(units, 1, count, [&](std::size_t i) {
    const auto &[schedule, steps] = applied[i];
    const Asked asked{steps, schedule->span, c.targets, choice.look, {{}, 0, expand_strategies}};
    (uses_auto(steps) ? compile_automatic : compile_scheduled)(*units[i], asked);
  });
  for (const auto &unit : units) {
    c.diagnostics.insert(c.diagnostics.end(), unit->problems.begin(), unit->problems.end());
    c.kernels.push_back(std::move(unit->compiled));
    for (const std::string &tried : unit->tried)
      detail("{}\n", tried);
    tell_of(c.kernels.back());
    prover.learn(unit->prover);
  }
}

} // namespace

Attempt compile_under(const Compilation &c, const Compiled &written, const Schedule &schedule,
                      const proofs::Prover &known) {
  const schedule::Definitions definitions(*c.program);
  const auto steps = expand(schedule, definitions, kernel_named(written.name, *c.program));
  if (!steps)
    return {{}, steps.errors()};
  const std::unique_ptr<Unit> unit = unit_for(written, schedule, known);
  const Asked asked{*steps, schedule.span, c.targets};
  run_stages(unit->compiled, scheduled_stages, asked, unit->prover, unit->problems);
  return {std::move(unit->compiled), std::move(unit->problems)};
}

void compile_kernels(Compilation &c, TypedProgram typed, proofs::Prover &prover, bool with_schedules,
                     const Choice &choice) {
  Count count;
  count.all =
      typed.functions.size() + typed.kernels.size() + (with_schedules ? applications(c, choice).size() : 0);
  const Progress progress([&](double seconds) {
    return fmt::format("{}: {} of {} kernels and schedules, {} of {} obligations{}", c.sources.at(0).name,
                       count.done.load(), count.all.load(), prover.tally().decided.load(),
                       prover.tally().given.load(), time_left(count, seconds));
  });
  const Units written = compile_all_written(c, std::move(typed), prover, count, choice);
  if (with_schedules) {
    check_targets(c, prover);
    compile_schedules(c, written, prover, count, choice);
  }
  for (const auto &unit : written)
    prover.learn(unit->prover);
}

} // namespace atl::driver
