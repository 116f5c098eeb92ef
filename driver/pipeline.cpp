#include "driver/pipeline.h"

#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "driver/blame.h"
#include "driver/callers.h"
#include "driver/in_time.h"
#include "driver/io/files.h"
#include "driver/io/shared_files.h"

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

// False: it did not end in time, which is then among the diagnostics.
template <class Work>
bool does_in_time(const proofs::Prover &prover, Compilation &c, const std::string &what,
                  std::optional<Span> span, Work work) {
  auto late = in_time(prover.timeout_ms(), what, span, work);
  if (late)
    c.diagnostics.push_back(std::move(*late));
  return !late;
}

std::optional<Program> parse(const fs::path &file, Compilation &c) {
  auto text = read_file(file);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  std::uint32_t id = c.sources.add({file == "-" ? standard_input : file.string(), *text});
  auto read_import = [](const std::string &path) -> std::optional<std::string> {
    std::error_code error;
    bool is_there = fs::exists(path, error);
    auto imported = read_file(is_there ? fs::path(path) : shared_files() / fs::path(path).filename());
    return imported ? std::optional(*imported) : std::nullopt;
  };
  auto program = parse_program(c.sources, id, read_import);
  if (program)
    return *program;
  c.diagnostics = program.errors();
  return std::nullopt;
}

// Nothing is there unless all of the program is right.
std::optional<TypedProgram> check(Compilation &c) {
  c.diagnostics = check_schedules(*c.program);
  auto typed = check_program(*c.program);
  if (typed)
    return std::move(*typed);
  c.diagnostics.insert(c.diagnostics.end(), typed.errors().begin(), typed.errors().end());
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
    std::optional<Result<accel::Target>> made;
    if (!does_in_time(prover, c, "reading the hardware " + hardware.name, hardware.span,
                      [&] { made = accel::make_target(hardware, *c.program); }))
      continue;
    Result<accel::Target> &target = *made;
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

// Functions first: a mistake in one is told where it stands, and not again for each kernel that calls it.
void compile_all_written(Compilation &c, TypedProgram typed, proofs::Prover &prover, const Choice &choice) {
  for (TypedKernel &function : typed.functions)
    c.functions.push_back(compile_written(c, std::move(function), prover, choice));
  for (TypedKernel &kernel : typed.kernels)
    c.kernels.push_back(compile_written(c, std::move(kernel), prover, choice));
  withdraw_callers(*c.program, c.functions, c.kernels);
}

void compile_scheduled(Compilation &c, const Compiled &written, const Schedule &schedule,
                       const schedule::Definitions &definitions, proofs::Prover &prover,
                       const Choice &choice) {
  auto kernel = std::find_if(c.program->kernels.begin(), c.program->kernels.end(),
                             [&](const Kernel &k) { return k.name == written.name; });
  std::optional<Result<std::vector<Step>>> expanded;
  if (!does_in_time(prover, c, "expanding the schedule " + schedule.name, schedule.span,
                    [&] { expanded = expand(schedule, definitions, *kernel); }))
    return;
  Result<std::vector<Step>> &steps = *expanded;
  if (!steps) {
    c.diagnostics.insert(c.diagnostics.end(), steps.errors().begin(), steps.errors().end());
    return;
  }
  Compiled scheduled = start(written.algorithm, schedule.name);
  scheduled.example = written.example;
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

Compilation compile(const fs::path &file, proofs::Prover &prover, Until until, const Choice &choice) {
  Clock::time_point start = Clock::now();
  Compilation c;
  does_in_time(prover, c, "parsing " + file.string(), std::nullopt, [&] { c.program = parse(file, c); });
  if (!c.program || until == Until::parsed)
    return c;
  std::optional<TypedProgram> typed;
  does_in_time(prover, c, "checking " + file.string(), std::nullopt, [&] { typed = check(c); });
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
