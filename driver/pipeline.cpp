#include "driver/pipeline.h"

#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "driver/blame.h"
#include "driver/callers.h"
#include "driver/io/files.h"
#include "driver/io/shared_files.h"
#include "driver/propose_fixes.h"
#include "driver/try_fixes.h"

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

// From `texts`, else from the disk.
Result<std::string> text_of(const std::string &name, const fs::path &file, const Texts &texts) {
  auto known = texts.find(name);
  return known == texts.end() ? read_file(file) : Result<std::string>(known->second);
}

std::optional<Program> parse(const fs::path &file, const Texts &texts, Compilation &c) {
  const std::string name = file == "-" ? standard_input : file.string();
  auto text = text_of(name, file, texts);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  std::uint32_t id = c.sources.add({name, *text});
  auto read_import = [&](const std::string &path) -> std::optional<std::string> {
    if (auto known = texts.find(path); known != texts.end())
      return known->second;
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
  auto steps = expand(schedule, definitions, *kernel);
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

// Without fixes: it is what tries them.
Compilation compile_texts(const fs::path &file, const Texts &texts, proofs::Prover &prover, Until until,
                          const Choice &choice) {
  Clock::time_point start = Clock::now();
  Compilation c;
  c.program = parse(file, texts, c);
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

// A step that could not be read must also be one that can be applied.
bool is_step_syntax(const Diagnostic &d) {
  return d.code == Code::syntax_error && d.message.starts_with("expected ';' or '{'");
}

// Schedules take long; a mistake in a kernel shows without them.
bool is_about_schedules(const Compilation &c) {
  auto is_code_of_schedules = [](const Diagnostic &d) {
    return d.code >= Code::unknown_step && d.code < Code::out_of_bounds;
  };
  auto is_scheduled = [](const Compiled &kernel) { return !kernel.schedule.empty(); };
  return std::any_of(c.diagnostics.begin(), c.diagnostics.end(), is_code_of_schedules) ||
         std::any_of(c.kernels.begin(), c.kernels.end(), is_scheduled) || !c.targets.empty() ||
         std::any_of(c.diagnostics.begin(), c.diagnostics.end(), is_step_syntax);
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
  Compilation c = compile_texts(file, {}, prover, until, choice);
  if (c.ok())
    return c;
  const Until enough = until == Until::proved && !is_about_schedules(c) ? Until::written : until;
  propose_fixes(c, prover);
  try_fixes(c, [&](const Texts &texts) { return compile_texts(file, texts, prover, enough, choice); });
  return c;
}

} // namespace atl::driver
