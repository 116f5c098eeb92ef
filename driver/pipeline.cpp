#include "driver/pipeline.h"

#include "atl/base/printable.h"
#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "driver/automatic_text.h"
#include "driver/compile_kernels.h"
#include "driver/console.h"
#include "driver/in_time.h"
#include "driver/io/files.h"
#include "driver/io/imports.h"
#include "driver/propose_fixes.h"
#include "driver/try_fixes.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::optional<Program> parse(const fs::path &file, const ImportPath &importer, Compilation &c) {
  const bool is_piped = file == "-";
  const std::string name = is_piped ? standard_input : file.string();
  auto text = importer.read_program(name, file);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  std::uint32_t id = c.sources.add({name, *text, is_piped ? "" : identity_of(file)});
  auto program = parse_program(c.sources, id, &importer);
  for (std::uint32_t i = 0; i < c.sources.size(); ++i)
    detail("reads {}\n", printable_name(c.sources.at(i).name));
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

// Without fixes: it is what tries them.
Compilation compile_texts(const fs::path &file, const ImportPath &importer, proofs::Prover &prover,
                          Until until, const Choice &choice, const std::set<std::string> &automatic = {}) {
  Clock::time_point start = Clock::now();
  Compilation c;
  c.automatic = automatic;
  c.import_folders = importer.folders();
  does_in_time(prover.timeout_ms(), "parsing " + file.string(), std::nullopt, c.diagnostics,
               [&] { c.program = parse(file, importer, c); });
  if (!c.program || until == Until::parsed)
    return c;
  for (Hardware &hardware : c.program->hardware)
    for (const auto &[name, cost] : choice.costs)
      hardware.costs[name] = cost;
  std::optional<TypedProgram> typed;
  does_in_time(prover.timeout_ms(), "checking " + file.string(), std::nullopt, c.diagnostics,
               [&] { typed = check(c); });
  if (!c.ok()) {
    sort_by_place(c.diagnostics);
    return c;
  }
  c.front_ms = ms_since(start);
  if (until == Until::typed)
    for (TypedKernel &kernel : typed->kernels)
      c.kernels.push_back(driver::start(std::move(kernel)));
  else
    compile_kernels(c, std::move(*typed), prover,
                    until == Until::proved && (choice.by_default || choice.schedule != "none"), choice);
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

bool lists(const std::string &names, const std::string &name) {
  return ("," + names + ",").find("," + name + ",") != std::string::npos;
}

bool Choice::wants(const std::string &applied) const {
  return schedule.empty() || lists(schedule, applied.empty() ? "none" : applied) ||
         (by_default && lists(automatic_schedules(hardware), applied));
}

namespace {

struct Added {
  Texts before, texts; // of the program: as it was read, and with the schedules, if it parses
  std::string behind = {};
  std::set<std::string> automatic; // the kernels that have no others
};

// Those of the file itself that get schedules. What is private and not named is not built.
std::vector<const Kernel *> kernels_for(const Choice &choice, const Program &program) {
  std::vector<const Kernel *> kernels;
  for (const Kernel &kernel : program.kernels)
    if (kernel.span.file == 0 && choice.names(kernel.name) &&
        (!choice.by_default ||
         (!has_schedule(program, kernel) && (!kernel.is_private || !choice.kernels.empty()))))
      kernels.push_back(&kernel);
  return kernels;
}

Result<Added> added_schedules(const fs::path &file, const ImportPath &importer, proofs::Prover &prover,
                              const Choice &choice) {
  const std::vector<std::string> hardware = hardware_named(choice.hardware);
  for (const std::string &one : hardware)
    if (one != portable_hardware && !choice.by_default)
      if (auto found = importer.find(one + ".atl", file.string()); !found)
        return unknown_hardware(one, found.errors()[0]);
  const Hush quietly;
  const Compilation c = compile_texts(file, importer, prover, Until::parsed, choice);
  Added added;
  if (c.sources.size() == 0)
    return added;
  const Source &source = c.sources.at(0);
  added.before = added.texts = {{source.name, source.text}};
  if (!c.program)
    return added;
  const std::vector<const Kernel *> kernels = kernels_for(choice, *c.program);
  for (const Kernel *kernel : kernels)
    if (!has_schedule(*c.program, *kernel))
      added.automatic.insert(kernel->name);
  if (!kernels.empty())
    added.behind =
        "\n" + automatic_schedules_for(c.sources, kernels, *c.program, hardware, choice.by_default);
  added.texts[source.name] += added.behind;
  return added;
}

// What is wrong is not, or not only, with kernels as they are written.
bool is_wrong_with_schedules(const Compilation &c) {
  return !c.ok() && std::all_of(c.kernels.begin(), c.kernels.end(), [](const Compiled &kernel) {
    return kernel.proved || !kernel.schedule.empty();
  });
}

} // namespace

Compilation compile(const fs::path &file, proofs::Prover &prover, Until until, const Choice &choice,
                    const std::vector<std::string> &import_folders) {
  Added added;
  if (!choice.hardware.empty()) {
    auto schedules = added_schedules(file, ImportPath(import_folders), prover, choice);
    if (schedules) {
      added = std::move(*schedules);
    } else if (!choice.by_default) {
      Compilation c;
      c.diagnostics = schedules.errors();
      return c;
    }
  }
  Compilation c =
      compile_texts(file, ImportPath(import_folders, added.texts), prover, until, choice, added.automatic);
  c.added = added.behind;
  if (is_wrong_with_schedules(c) && choice.by_default) { // what nobody asked for makes no program wrong
    const std::string problem = c.diagnostics[0].message;
    c = compile_texts(file, ImportPath(import_folders, added.before), prover, until,
                      {choice.kernels, choice.schedule, choice.look, choice.exported, {}, choice.costs});
    if (c.ok())
      detail("without automatic schedules: {}\n", problem);
  }
  if (c.ok())
    return c;
  const Until enough = until == Until::proved && !is_about_schedules(c) ? Until::written : until;
  propose_fixes(c, prover);
  const Hush quietly;
  try_fixes(c, [&](const Texts &texts) {
    return compile_texts(file, ImportPath(import_folders, texts), prover, enough, choice);
  });
  return c;
}

std::string own_text(const Compilation &c) {
  const std::string &text = c.sources.at(0).text;
  return text.substr(0, text.size() - c.added.size());
}

Compilation compile_again(const Compilation &before, const fs::path &file, const std::string &added,
                          proofs::Prover &prover, const Choice &choice) {
  std::vector<std::string> folders;
  for (const fs::path &folder : before.import_folders)
    folders.push_back(folder.string());
  const Texts texts{{before.sources.at(0).name, own_text(before) + "\n" + added}};
  Compilation c = compile_texts(file, ImportPath(folders, texts), prover, Until::proved, choice);
  c.added = "\n" + added;
  return c;
}

} // namespace atl::driver
