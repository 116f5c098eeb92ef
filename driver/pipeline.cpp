#include "driver/pipeline.h"

#include "atl/base/printable.h"
#include "atl/base/workers.h"
#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "driver/blame.h"
#include "driver/callers.h"
#include "driver/console.h"
#include "driver/io/files.h"
#include "driver/io/imports.h"
#include "driver/progress.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <tuple>
#include <utility>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::optional<Program> parse(const fs::path &file, const std::vector<std::string> &folders, Compilation &c) {
  auto text = read_file(file);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  const bool is_piped = file == "-";
  std::uint32_t id =
      c.sources.add({is_piped ? standard_input : file.string(), *text, is_piped ? "" : identity_of(file)});
  const ImportPath importer(folders);
  auto program = parse_program(c.sources, id, &importer);
  for (std::uint32_t i = 0; i < c.sources.size(); ++i)
    detail("reads {}\n", printable(c.sources.at(i).name));
  if (program)
    return *program;
  c.diagnostics = program.errors();
  return std::nullopt;
}

void sort_by_place(Diagnostics &diagnostics) {
  auto place = [](const Diagnostic &d) {
    return d.span ? std::tuple(true, d.span->file, d.span->begin) : std::tuple(false, 0U, 0U);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) { return place(a) < place(b); });
}

// The hardware descriptions whose instructions have a proved meaning.
void check_targets(Compilation &c, proofs::Prover &prover) {
  for (const Hardware &hardware : c.program->hardware) {
    auto target = accel::make_target(hardware, *c.program);
    if (!target) {
      c.diagnostics.insert(c.diagnostics.end(), target.errors().begin(), target.errors().end());
      continue;
    }
    std::vector<Decided> meanings; // which nobody lists
    if (discharge(target->obligations, prover, meanings, c.diagnostics))
      c.targets.push_back(std::move(*target));
  }
}

const std::vector all_stages{Stage::typed,   Stage::scheduled, Stage::equal, Stage::checked,
                             Stage::lowered, Stage::mapped,    Stage::proved};
// What a schedule is for is right as it is written.
const std::vector scheduled_stages(all_stages.begin() + 1, all_stages.end());

// A definition as it is written, or a kernel under a schedule, while it is compiled beside others.
struct Unit {
  proofs::Prover prover;
  Compiled compiled;
  Diagnostics problems = {};
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

void run_all(const Units &units, Count &count, const std::function<void(std::size_t)> &compile_one) {
  for_each_number(units.size(), [&](std::size_t i) {
    compile_one(i);
    units[i]->prover.free_solver();
    ++count.done;
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
  run_all(units, count, [&](std::size_t i) { compile_written(*units[i], choice); });
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

void compile_scheduled(Unit &unit, const Schedule &schedule, const std::vector<Step> &steps,
                       const std::vector<accel::Target> &targets, const Choice &choice) {
  const Asked asked{steps, schedule.span, targets, choice.look};
  run_stages(unit.compiled, scheduled_stages, asked, unit.prover, unit.problems);
  if (!unit.problems.empty() && !unit.compiled.versions.empty()) // all steps were applied
    name_step(unit.problems, unit.compiled, asked, unit.prover);
}

// The schedules chosen, each with a kernel that it is for.
std::vector<std::pair<const Schedule *, const Kernel *>> applications(const Program &program,
                                                                      const Choice &choice) {
  std::vector<std::pair<const Schedule *, const Kernel *>> all;
  for (const Schedule &schedule : program.schedules)
    for (const ScheduleParam &target : schedule.kernels)
      for (const Kernel &kernel : program.kernels)
        if (schedule.params.empty() && kernel.name == target.name && choice.names(kernel.name) &&
            choice.wants(schedule.name))
          all.emplace_back(&schedule, &kernel);
  return all;
}

// Every schedule chosen, of every kernel that is right as it is written. `written`: the units of `c.kernels`.
void compile_schedules(Compilation &c, const Units &written, Count &count, const Choice &choice) {
  const schedule::Definitions definitions(*c.program);
  Units units;
  std::vector<std::pair<const Schedule *, std::vector<Step>>> applied;
  for (const auto &[schedule, kernel] : applications(*c.program, choice)) {
    const auto algorithm = std::find_if(c.kernels.begin(), c.kernels.end(),
                                        [name = kernel->name](const Compiled &k) { return k.name == name; });
    if (algorithm == c.kernels.end() || !algorithm->proved)
      continue;
    auto steps = expand(*schedule, definitions, *kernel);
    if (!steps) {
      c.diagnostics.insert(c.diagnostics.end(), steps.errors().begin(), steps.errors().end());
      continue;
    }
    const proofs::Prover &before = written[static_cast<std::size_t>(algorithm - c.kernels.begin())]->prover;
    units.emplace_back(new Unit{proofs::Prover(&before), start(algorithm->algorithm, schedule->name)});
    Compiled &scheduled = units.back()->compiled;
    scheduled.example = algorithm->example;
    scheduled.is_private = algorithm->is_private;
    scheduled.has_private_schedule = schedule->is_private;
    applied.emplace_back(schedule, std::move(*steps));
  }
  run_all(units, count, [&](std::size_t i) {
    compile_scheduled(*units[i], *applied[i].first, applied[i].second, c.targets, choice);
  });
  for (const auto &unit : units) {
    c.diagnostics.insert(c.diagnostics.end(), unit->problems.begin(), unit->problems.end());
    c.kernels.push_back(std::move(unit->compiled));
    tell_of(c.kernels.back());
  }
}

void compile_typed(Compilation &c, TypedProgram typed, proofs::Prover &prover, bool with_schedules,
                   const Choice &choice) {
  Count count;
  count.all = typed.functions.size() + typed.kernels.size() +
              (with_schedules ? applications(*c.program, choice).size() : 0);
  const Progress progress([&](double seconds) {
    return fmt::format("{}: {} of {} kernels and schedules, {} of {} obligations{}", c.sources.at(0).name,
                       count.done.load(), count.all.load(), prover.tally().decided.load(),
                       prover.tally().given.load(), time_left(count, seconds));
  });
  const Units written = compile_all_written(c, std::move(typed), prover, count, choice);
  if (!with_schedules)
    return;
  check_targets(c, prover);
  compile_schedules(c, written, count, choice);
}

} // namespace

bool Choice::names(const std::string &kernel) const {
  return kernels.empty() || std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

bool Choice::wants(const std::string &applied) const {
  const std::string name = applied.empty() ? "none" : applied;
  return schedule.empty() || ("," + schedule + ",").find("," + name + ",") != std::string::npos;
}

Compilation compile(const fs::path &file, proofs::Prover &prover, Until until, const Choice &choice,
                    const std::vector<std::string> &import_folders) {
  Clock::time_point start = Clock::now();
  Compilation c;
  c.program = parse(file, import_folders, c);
  if (!c.program || until == Until::parsed)
    return c;
  c.diagnostics = check_schedules(*c.program);
  auto typed = check_program(*c.program);
  if (!typed)
    c.diagnostics.insert(c.diagnostics.end(), typed.errors().begin(), typed.errors().end());
  if (!c.ok()) {
    sort_by_place(c.diagnostics);
    return c;
  }
  c.front_ms = ms_since(start);
  if (until == Until::typed)
    for (TypedKernel &kernel : typed->kernels)
      c.kernels.push_back(driver::start(std::move(kernel)));
  else
    compile_typed(c, std::move(*typed), prover, until == Until::proved && choice.schedule != "none", choice);
  sort_by_place(c.diagnostics);
  c.total_ms = ms_since(start);
  return c;
}

} // namespace atl::driver
