#include "driver/automatic_text.h"
#include "driver/commands/commands.h"
#include "driver/commands/report.h"
#include "driver/console.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::driver {

namespace {

const Schedule &schedule_of(const Compiled &compiled, const Program &program) {
  return *std::find_if(program.schedules.begin(), program.schedules.end(), [&](const Schedule &schedule) {
    return schedule.name == compiled.schedule &&
           std::any_of(schedule.kernels.begin(), schedule.kernels.end(),
                       [&](const ScheduleParam &kernel) { return kernel.name == compiled.name; });
  });
}

} // namespace

int schedule_command(const ScheduleOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  const Choice choice = choice_of(options, options.kernels, options.schedule);
  Compilation c = compile(options.file, prover, Until::proved, choice, options.import_folders);
  print_diagnostics(c.diagnostics, c.sources);
  if (!c.ok())
    return exit_wrong;
  auto chosen = choose(c, choice);
  if (!chosen)
    return fail(chosen.errors()[0]);
  std::string separator;
  for (const Compiled *kernel : *chosen) {
    if (kernel->schedule.empty())
      continue;
    fmt::print("{}{}", separator, print_automatic(schedule_of(*kernel, *c.program), *kernel));
    separator = "\n";
  }
  return exit_fine;
}

} // namespace atl::driver
