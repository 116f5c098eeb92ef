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
    detail("reads {}\n", printable(c.sources.at(i).name));
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
                          Until until, const Choice &choice) {
  Clock::time_point start = Clock::now();
  Compilation c;
  c.import_folders = importer.folders();
  does_in_time(prover.timeout_ms(), "parsing " + file.string(), std::nullopt, c.diagnostics,
               [&] { c.program = parse(file, importer, c); });
  if (!c.program || until == Until::parsed)
    return c;
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
    compile_kernels(c, std::move(*typed), prover, until == Until::proved && choice.schedule != "none",
                    choice);
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

// The text of the program with the schedules that `choice` asks for; no text if none are, or it does not
// parse.
static Result<Texts> added_schedules(const fs::path &file, const ImportPath &importer, proofs::Prover &prover,
                                     const Choice &choice) {
  if (choice.hardware.empty())
    return Texts();
  const std::vector<std::string> hardware = hardware_named(choice.hardware);
  for (const std::string &one : hardware)
    if (one != portable_hardware)
      if (auto found = importer.find(one + ".atl", file.string()); !found)
        return unknown_hardware(one, found.errors()[0]);
  const Hush quietly;
  const Compilation c = compile_texts(file, importer, prover, Until::parsed, choice);
  if (!c.program)
    return Texts();
  std::vector<const Kernel *> kernels;
  for (const Kernel &kernel : c.program->kernels)
    if (kernel.span.file == 0 && choice.names(kernel.name))
      kernels.push_back(&kernel);
  const Source &source = c.sources.at(0);
  return Texts{{source.name, with_automatic_schedules(source.text, kernels, *c.program, hardware)}};
}

Compilation compile(const fs::path &file, proofs::Prover &prover, Until until, const Choice &choice,
                    const std::vector<std::string> &import_folders) {
  const auto added = added_schedules(file, ImportPath(import_folders), prover, choice);
  if (!added) {
    Compilation c;
    c.diagnostics = added.errors();
    return c;
  }
  Compilation c = compile_texts(file, ImportPath(import_folders, *added), prover, until, choice);
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

} // namespace atl::driver
