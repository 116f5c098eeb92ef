#include "driver/pipeline.h"

#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "driver/blame.h"
#include "driver/callers.h"
#include "driver/io/files.h"
#include "driver/io/imports.h"

#include <algorithm>
#include <chrono>
#include <tuple>

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
    auto decide = [&](const Obligation &o) { return prover.decide(o); };
    if (discharge(target->obligations, decide, meanings, c.diagnostics))
      c.targets.push_back(std::move(*target));
  }
}

const std::vector all_stages{Stage::typed,   Stage::scheduled, Stage::equal, Stage::checked,
                             Stage::lowered, Stage::mapped,    Stage::proved};
// What a schedule is for is right as it is written.
const std::vector scheduled_stages(all_stages.begin() + 1, all_stages.end());

Compiled compile_written(Compilation &c, TypedKernel definition, proofs::Prover &prover,
                         const Choice &choice) {
  const Asked asked{{}, definition.span, {}, choice.look};
  Compiled written = start(std::move(definition));
  run_stages(written, all_stages, asked, prover, c.diagnostics);
  return written;
}

const Kernel &kernel_named(const std::string &name, const Program &program) {
  return *std::find_if(program.kernels.begin(), program.kernels.end(),
                       [&](const Kernel &kernel) { return kernel.name == name; });
}

// Functions first: a mistake in one is told where it stands, and not again for each kernel that calls it.
void compile_all_written(Compilation &c, TypedProgram typed, proofs::Prover &prover, const Choice &choice) {
  for (TypedKernel &function : typed.functions)
    c.functions.push_back(compile_written(c, std::move(function), prover, choice));
  for (TypedKernel &kernel : typed.kernels) {
    c.kernels.push_back(compile_written(c, std::move(kernel), prover, choice));
    c.kernels.back().is_private = kernel_named(c.kernels.back().name, *c.program).is_private;
  }
  withdraw_callers(*c.program, c.functions, c.kernels);
}

void compile_scheduled(Compilation &c, const Compiled &written, const Schedule &schedule,
                       const schedule::Definitions &definitions, proofs::Prover &prover,
                       const Choice &choice) {
  auto steps = expand(schedule, definitions, kernel_named(written.name, *c.program));
  if (!steps) {
    c.diagnostics.insert(c.diagnostics.end(), steps.errors().begin(), steps.errors().end());
    return;
  }
  Compiled scheduled = start(written.algorithm, schedule.name);
  scheduled.example = written.example;
  scheduled.is_private = written.is_private;
  scheduled.has_private_schedule = schedule.is_private;
  const Asked asked{*steps, schedule.span, c.targets, choice.look};
  Diagnostics problems;
  run_stages(scheduled, scheduled_stages, asked, prover, problems);
  if (!problems.empty() && !scheduled.versions.empty()) // all steps were applied
    name_step(problems, scheduled, asked, prover);
  c.diagnostics.insert(c.diagnostics.end(), problems.begin(), problems.end());
  c.kernels.push_back(std::move(scheduled));
}

// Every schedule chosen, of every kernel that is right as it is written.
void compile_schedules(Compilation &c, proofs::Prover &prover, const Choice &choice) {
  const std::vector<Compiled> written = c.kernels;
  const schedule::Definitions definitions(*c.program);
  for (const Schedule &schedule : c.program->schedules)
    for (const ScheduleParam &target : schedule.kernels) {
      if (!schedule.params.empty() || !choice.names(target.name) || !choice.wants(schedule.name))
        continue;
      auto algorithm = std::find_if(written.begin(), written.end(),
                                    [&](const Compiled &k) { return k.name == target.name; });
      if (algorithm != written.end() && algorithm->proved)
        compile_scheduled(c, *algorithm, schedule, definitions, prover, choice);
    }
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
    compile_all_written(c, std::move(*typed), prover, choice);
  if (until == Until::proved && choice.schedule != "none") {
    check_targets(c, prover);
    compile_schedules(c, prover, choice);
  }
  sort_by_place(c.diagnostics);
  c.total_ms = ms_since(start);
  return c;
}

} // namespace atl::driver
