#include "driver/commands/commands.h"

#include "atl/base/printable.h"
#include "atl/equality/agreement.h"
#include "atl/schedule/steps/target.h"
#include "atl/syntax/print_schedule.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/console.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace atl::driver {

namespace {

void print_steps(const Compiled &kernel) {
  for (const schedule::Done &done : kernel.steps)
    fmt::print("  {:<48} {} condition{} proved; the loops are {}\n", to_string(done.step),
               done.conditions.size(), done.conditions.size() == 1 ? "" : "s",
               schedule::loops_of(done.after.kernel));
}

// One line for the schedules that atlc added: mostly all that is said of them is the same.
void print_automatic(const Compilation &c, const std::string &kernel) {
  std::map<std::string, std::string> schedules; // agreement -> names
  for (const Compiled &scheduled : c.kernels)
    if (scheduled.name == kernel && scheduled.proved && !scheduled.schedule.empty()) {
      std::string &names = schedules[equality::agreement(scheduled.laws)];
      names += (names.empty() ? "" : ", ") + scheduled.schedule;
    }
  for (const auto &[agreement, names] : schedules)
    summarize("{} under {}: equal to its algorithm, {}\n", kernel, names, agreement);
}

// How each schedule is to its kernel, then one line about the file.
void print_summary(const Compilation &c, const std::string &file, bool steps) {
  std::size_t obligations = 0, kernels = 0;
  for (const Compiled &function : c.functions)
    obligations += function.decided.size();
  for (const Compiled &kernel : c.kernels) {
    obligations += kernel.decided.size();
    kernels += kernel.schedule.empty();
    if (kernel.schedule.empty()) {
      if (c.automatic.contains(kernel.name) && !steps)
        print_automatic(c, kernel.name);
      continue;
    }
    if (c.automatic.contains(kernel.name) && !steps)
      continue;
    if (kernel.proved)
      summarize("{} under {}: equal to its algorithm, {}\n", kernel.name, kernel.schedule,
                equality::agreement(kernel.laws));
    else if (steps)
      summarize("{} under {}: refused\n", kernel.name, kernel.schedule);
    if (steps)
      print_steps(kernel);
  }
  const Style style = output_style();
  if (c.ok())
    summarize("{}: {}, {} kernel{}, {} obligations proved in {:.0f} ms\n", printable_name(file),
              style(Mark::good, "ok"), kernels, kernels == 1 ? "" : "s", obligations, c.total_ms);
  else
    summarize("{}: {}\n", printable_name(file),
              style(Mark::bad,
                    fmt::format("{} error{}", c.diagnostics.size(), c.diagnostics.size() == 1 ? "" : "s")));
}

} // namespace

static Choice all_of(const CheckOptions &options) {
  Choice all = choice_by_default(options, {}, "");
  all.schedule.clear(); // also those of the file
  return all;
}

int check_command(const CheckOptions &options) {
  int exit_code = exit_fine;
  for (const std::string &file : options.files) {
    proofs::Prover prover(options.timeout_ms);
    Compilation c = compile(file, prover, Until::proved, all_of(options), options.import_folders);
    if (!c.ok())
      exit_code = exit_wrong;
    if (options.json) {
      fmt::print("{}\n", to_json(c, file).dump());
      continue;
    }
    print_diagnostics(c.diagnostics, c.sources);
    print_summary(c, file, options.steps);
  }
  return exit_code;
}

} // namespace atl::driver
