#include "driver/pipeline.h"

#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/expand.h"
#include "atl/syntax/print.h"
#include "driver/blame.h"
#include "driver/io/files.h"
#include "driver/laws.h"
#include "lowering/copies/versions.h"

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

// The descriptions that come with atlc, in the folder `accel` next to the program that runs, or next to a
// folder it is in: an import that is not found beside the importing file is looked for here.
fs::path shipped_description(const fs::path &name) {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "accel" / name, error))
      break;
  return folder / "accel" / name;
}

std::optional<Program> parse(const fs::path &file, Compilation &c) {
  auto text = read_file(file);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  std::uint32_t id = c.sources.add({file.string(), *text});
  auto read_import = [](const std::string &path) -> std::optional<std::string> {
    std::error_code error;
    bool is_there = fs::exists(path, error);
    auto imported = read_file(is_there ? fs::path(path) : shipped_description(fs::path(path).filename()));
    return imported ? std::optional(*imported) : std::nullopt;
  };
  auto program = parse_program(c.sources, id, read_import);
  if (program)
    return *program;
  c.diagnostics = program.errors();
  return std::nullopt;
}

// True if all are proved; each that is not becomes a diagnostic, one per place and code.
bool discharge(const std::vector<Obligation> &obligations, proofs::Prover &prover, CompiledKernel &kernel,
               Diagnostics &diagnostics) {
  bool all = true;
  for (const Obligation &obligation : obligations) {
    kernel.decided.push_back({obligation, prover.decide(obligation)});
    auto problem = proofs::explain(obligation, kernel.decided.back().verdict);
    if (!problem)
      continue;
    all = false;
    bool told = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic &d) {
      bool same_mistake = d.code == problem->code || problem->code == Code::obligation_unknown;
      return same_mistake && d.span && problem->span && d.span->file == problem->span->file &&
             d.span->begin == problem->span->begin && d.span->end == problem->span->end;
    });
    if (!told)
      diagnostics.push_back(std::move(*problem));
  }
  return all;
}

void sort_by_place(Diagnostics &diagnostics) {
  auto place = [](const Diagnostic &d) {
    return d.span ? std::tuple(true, d.span->file, d.span->begin) : std::tuple(false, 0U, 0U);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) { return place(a) < place(b); });
}

// Sizes that the where clause allows must exist, or every obligation would hold for nothing.
bool where_is_satisfiable(const TypedKernel &kernel, proofs::Prover &prover, Diagnostics &diagnostics) {
  if (kernel.where.empty() ||
      prover.satisfiable(kernel.assumptions, kernel.size_names()) != proofs::Satisfiable::no)
    return true;
  diagnostics.push_back({Code::contradictory_where,
                         kernel.where[0].span,
                         "no sizes satisfy the where clause of " + kernel.name,
                         {}});
  return false;
}

// The loop nest with the instructions that the schedule asked for.
Result<lowering::LoopKernel> with_instructions(lowering::LoopKernel loops,
                                               const std::vector<accel::Target> &targets) {
  if (!loops.mapped_to)
    return loops;
  const MappedTo &wanted = *loops.mapped_to;
  for (const accel::Target &target : targets)
    if (target.hardware->name == wanted.name)
      return accel::map_loops(std::move(loops), target);
  return Diagnostic{Code::unknown_hardware,
                    wanted.span,
                    "no hardware " + wanted.name + " is imported",
                    {{std::nullopt, "write `import \"" + wanted.name + ".atl\";`"}}};
}

// From pad types, which are proved, to the loop nest.
void prove_loops(CompiledKernel &kernel, const std::vector<lowering::Version> &versions,
                 const std::vector<Pred> &assumptions, const std::vector<accel::Target> &targets,
                 proofs::Prover &prover, Diagnostics &diagnostics) {
  auto loops = lowering::lower(versions, assumptions);
  if (loops)
    loops = with_instructions(std::move(*loops), targets);
  if (!loops) {
    diagnostics.insert(diagnostics.end(), loops.errors().begin(), loops.errors().end());
    return;
  }
  kernel.loops = std::move(*loops);
  kernel.proved = discharge(kernel.loops->obligations, prover, kernel, diagnostics);
}

void prove(CompiledKernel &kernel, proofs::Prover &prover, Diagnostics &diagnostics) {
  if (where_is_satisfiable(kernel.typed, prover, diagnostics) &&
      discharge(kernel.typed.obligations, prover, kernel, diagnostics) &&
      discharge(kernel.pads->obligations, prover, kernel, diagnostics))
    prove_loops(kernel, {{truth(true), *kernel.pads}}, kernel.typed.assumptions, {}, prover, diagnostics);
}

// Lowering need not know hardware, only which temporaries have addresses.
void note_addressed_memories(TypedKernel &kernel, const std::vector<accel::Target> &targets) {
  if (!kernel.hardware)
    return;
  for (const accel::Target &target : targets)
    for (const Memory &memory : target.hardware->memories)
      if (target.hardware->name == kernel.hardware->name && memory.rows)
        kernel.hardware->addressed.insert(memory.name);
}

// Each version of a scheduled kernel against the algorithm; then its pad types.
std::optional<lowering::Version> prove_version(CompiledKernel &kernel, const TypedKernel &algorithm,
                                               schedule::Version &version, Span span, proofs::Prover &prover,
                                               Diagnostics &diagnostics) {
  version.kernel.name = kernel.typed.name;
  auto equality =
      equality::equal_obligations(algorithm, version.kernel, version.prophecies, span, version.reindexing);
  if (!discharge(equality.obligations, prover, kernel, diagnostics))
    return std::nullopt;
  note_laws(equality, algorithm, prover, kernel.laws);
  kernel.used.insert(equality.laws.begin(), equality.laws.end());
  version.renumbered = in_order(equality, prover);
  lowering::Version checked{version.when, padtypes::check_pads(version.kernel)};
  if (!discharge(checked.checked.obligations, prover, kernel, diagnostics))
    return std::nullopt;
  return checked;
}

const Step *find_named(const std::vector<Step> &steps, std::string_view name) {
  for (const Step &step : steps) {
    if (step.name == name)
      return &step;
    if (const Step *inner = find_named(step.block, name))
      return inner;
  }
  return nullptr;
}

// Registers are those of a hardware.
std::optional<Diagnostic> stored_without_hardware(const std::vector<Step> &steps) {
  const Step *store = find_named(steps, "store");
  if (!store || find_named(steps, "map"))
    return std::nullopt;
  Diagnostic problem{Code::unknown_hardware,
                     store->span,
                     "the memory is one of no hardware: nothing in this schedule is mapped",
                     {{std::nullopt, "write `map all with HARDWARE;`"}}};
  problem.notes.insert(problem.notes.end(), store->via.begin(), store->via.end());
  return problem;
}

// The steps one by one, then equality, then as without a schedule.
void run_schedule(CompiledKernel &kernel, const std::vector<Step> &steps, Span span,
                  const std::vector<accel::Target> &targets, proofs::Prover &prover,
                  Diagnostics &diagnostics) {
  const TypedKernel algorithm = kernel.typed;
  auto judge = [&](const Obligation &condition) {
    kernel.decided.push_back({condition, prover.decide(condition)});
    return proofs::explain(condition, kernel.decided.back().verdict);
  };
  auto outcome = schedule::run(algorithm, steps, judge);
  if (auto *failure = std::get_if<schedule::Failure>(&outcome)) {
    kernel.steps = std::move(failure->steps);
    const TypedKernel &now = kernel.steps.empty() ? algorithm : kernel.steps.back().after;
    failure->diagnostics.back().notes.push_back({std::nullopt, "the kernel is now\n" + print(now)});
    diagnostics.insert(diagnostics.end(), failure->diagnostics.begin(), failure->diagnostics.end());
    return;
  }
  if (auto problem = stored_without_hardware(steps)) {
    diagnostics.push_back(*problem);
    return;
  }
  schedule::Scheduled &scheduled = std::get<schedule::Scheduled>(outcome);
  kernel.typed = scheduled.general();
  kernel.typed.assumptions = algorithm.assumptions;
  kernel.typed.name = kernel.name + "_" + kernel.schedule;
  kernel.steps = std::move(scheduled.steps);
  std::vector<lowering::Version> versions;
  kernel.versions = std::move(scheduled.versions);
  for (schedule::Version &version : kernel.versions) {
    note_addressed_memories(version.kernel, targets);
    auto checked = prove_version(kernel, algorithm, version, span, prover, diagnostics);
    if (!checked)
      return;
    versions.push_back(std::move(*checked));
  }
  kernel.pads = versions.back().checked;
  prove_loops(kernel, versions, algorithm.assumptions, targets, prover, diagnostics);
  if (kernel.loops && kernel.loops->mapped_to && kernel.loops->mapped_to->contracts)
    kernel.laws.emplace_back("a * b + c rounded once");
  if (kernel.loops && kernel.loops->reorders)
    note_reordered_lanes(kernel.laws);
}

// The hardware descriptions whose instructions have a proved meaning.
void check_targets(Compilation &c, proofs::Prover &prover) {
  for (const Hardware &hardware : c.program->hardware) {
    auto target = accel::make_target(hardware, *c.program);
    if (!target) {
      c.diagnostics.insert(c.diagnostics.end(), target.errors().begin(), target.errors().end());
      continue;
    }
    CompiledKernel meanings; // keeps the verdicts, which nobody lists
    if (discharge(target->obligations, prover, meanings, c.diagnostics))
      c.targets.push_back(std::move(*target));
  }
}

// Every schedule chosen, of every kernel that is right as it is written.
void run_schedules(Compilation &c, proofs::Prover &prover, const Choice &choice) {
  std::vector<CompiledKernel> written = c.kernels;
  for (const Schedule &schedule : c.program->schedules)
    for (const ScheduleParam &target : schedule.kernels) {
      if (!schedule.params.empty() || !choice.names(target.name) || !choice.wants(schedule.name))
        continue;
      auto algorithm = std::find_if(written.begin(), written.end(),
                                    [&](const CompiledKernel &k) { return k.name == target.name; });
      auto kernel = std::find_if(c.program->kernels.begin(), c.program->kernels.end(),
                                 [&](const Kernel &k) { return k.name == target.name; });
      if (algorithm == written.end() || kernel == c.program->kernels.end() || !algorithm->proved)
        continue;
      auto steps = expand(schedule, *c.program, *kernel);
      if (!steps) {
        c.diagnostics.insert(c.diagnostics.end(), steps.errors().begin(), steps.errors().end());
        continue;
      }
      CompiledKernel scheduled{target.name, schedule.name, algorithm->typed, {}, {}, {}, false, {}, {}, {}};
      Diagnostics problems;
      run_schedule(scheduled, *steps, schedule.span, c.targets, prover, problems);
      if (!problems.empty() && !scheduled.versions.empty()) // all steps were applied
        name_step(problems, schedule.name, algorithm->typed, *steps, prover);
      c.diagnostics.insert(c.diagnostics.end(), problems.begin(), problems.end());
      c.kernels.push_back(std::move(scheduled));
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
  c.program = parse(file, c);
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
  for (TypedKernel &kernel : *typed) {
    auto pads = padtypes::check_pads(kernel);
    c.kernels.push_back({kernel.name, "", kernel, {}, std::move(pads), std::nullopt, false, {}, {}, {}});
  }
  c.front_ms = ms_since(start);
  if (until == Until::written || until == Until::proved)
    for (CompiledKernel &kernel : c.kernels)
      prove(kernel, prover, c.diagnostics);
  if (until == Until::proved && choice.schedule != "none") {
    check_targets(c, prover);
    run_schedules(c, prover, choice);
  }
  sort_by_place(c.diagnostics);
  c.total_ms = ms_since(start);
  return c;
}

} // namespace atl::driver
