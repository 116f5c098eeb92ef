#include "driver/commands/commands.h"

#include "atl/syntax/print.h"
#include "cbackend/library/emit_c.h"
#include "driver/commands/report.h"
#include "driver/commands/scheduled_view.h"
#include "driver/commands/selection.h"
#include "driver/commands/theorems.h"
#include "driver/console.h"
#include "driver/in_time.h"
#include "lowering/nest/run_loops.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::driver {

namespace {

// The earliest point of the pipeline at which the stage exists: a program that is wrong later can still be
// looked at.
Until needed_for(const ShowOptions &options) {
  if (options.stage == "parsed")
    return Until::parsed;
  return options.stage == "typed" ? Until::typed : Until::proved;
}

std::string to_text(const Obligation &o, const proofs::ObligationRow &row) {
  std::string text =
      fmt::format("{} ({}), {}: {}\n", row.id, proofs::styled(row.result, output_style()), row.where, o.what);
  for (const Pred &p : o.hypotheses)
    text += "    " + to_string(p) + "\n";
  for (const Claim &claim : o.claims)
    text += "  |- " + to_string(claim.holds) + "\n";
  return text;
}

std::string obligations_of(const Compiled &kernel, const Sources &sources) {
  std::string text;
  std::vector<proofs::ObligationRow> rows = rows_of(kernel, sources);
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += to_text(kernel.decided[i].obligation, rows[i]);
  return text;
}

std::string show_pads(const Compiled &kernel) {
  std::string text;
  for (const schedule::Version &version : kernel.versions)
    text += padtypes::show_pads(version.kernel);
  return text;
}

// What `prove --coq` has coqc check; nothing if it is not about the kernel.
std::optional<std::string> show_theorem(const Compiled &kernel, const Compilation &c,
                                        std::optional<unsigned> timeout_ms) {
  const std::string name = theorem_name(kernel);
  const auto text = theorem_text(kernel, c, name, timeout_ms);
  if (auto *problem = std::get_if<proofs::coq::Unsupported>(&text))
    return fmt::format("(* {} is not covered: {} *)\n", name, problem->what);
  const auto &theorem = std::get<std::string>(text);
  return read_back(theorem, name + ".v", kernel) ? std::optional(theorem) : std::nullopt;
}

// Nothing if the kernel did not get to the stage, or its theorem is about another one. There are C and
// theorems only of what is proved.
std::optional<std::string> show(const Compiled &kernel, const ShowOptions &options, const Compilation &c) {
  const std::string &stage = options.stage;
  if (stage == "typed")
    return print(kernel.algorithm);
  if (stage == "obligations")
    return obligations_of(kernel, c.sources);
  if (stage == "pads")
    return kernel.versions.empty() ? std::nullopt : std::optional(show_pads(kernel));
  if (!kernel.loops)
    return std::nullopt;
  if (stage == "mapped")
    return print_mapped(*kernel.loops);
  if (stage == "loops")
    return print(*kernel.loops);
  if (!kernel.proved)
    return std::nullopt;
  return stage == "theorem" ? show_theorem(kernel, c, options.timeout_ms)
                            : cbackend::emit_source(kernel.loops->name, {*kernel.loops});
}

// The program as it stands, or only the kernels named: a kernel that does not type-check can be looked at
// too.
int show_parsed(const Compilation &c, const std::vector<std::string> &names) {
  if (names.empty()) {
    fmt::print("{}", print(*c.program));
    return exit_fine;
  }
  std::vector<std::string> available;
  for (const Kernel &kernel : c.program->kernels)
    available.push_back(kernel.name);
  for (const std::string &name : names)
    if (std::find(available.begin(), available.end(), name) == available.end())
      return fail(unknown_kernel(name, c.sources.at(0).name, available));
  for (const Kernel &kernel : c.program->kernels)
    if (std::find(names.begin(), names.end(), kernel.name) != names.end())
      fmt::print("{}", print(kernel));
  return exit_fine;
}

} // namespace

int show_command(const ShowOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  const bool scheduled = options.stage == "scheduled";
  const bool as_written = options.schedule.empty() && options.hardware.empty() && !scheduled;
  Choice choice = choice_of(options, options.kernels, as_written ? "none" : options.schedule);
  choice.look = true;
  Compilation c = compile(options.file, prover, needed_for(options), choice, options.import_folders);
  print_diagnostics(c.diagnostics, c.sources);
  if (!c.ok() && c.kernels.empty())
    return exit_wrong;
  if (options.stage == "parsed")
    return show_parsed(c, options.kernels);
  auto chosen = choose(c, choice);
  if (!chosen)
    return fail(chosen.errors()[0]);
  std::string separator;
  bool all_shown = true;
  for (const Compiled *kernel : *chosen) {
    if (scheduled && kernel->schedule.empty() && options.schedule != "none")
      continue;
    std::optional<std::string> text;
    if (scheduled) {
      auto view = view_step(*kernel, options.step, options.diff);
      if (!view)
        return fail(view.errors()[0]);
      text = *view;
    } else {
      auto late = in_time(options.timeout_ms, fmt::format("printing {}", kernel->name),
                          kernel->algorithm.span, [&] { text = show(*kernel, options, c); });
      if (late) {
        print_diagnostics({*late}, c.sources);
        return exit_wrong;
      }
    }
    if (!text) {
      all_shown = false;
      continue;
    }
    fmt::print("{}{}", separator, *text);
    separator = "\n";
  }
  return c.ok() && all_shown ? exit_fine : exit_wrong;
}

} // namespace atl::driver
