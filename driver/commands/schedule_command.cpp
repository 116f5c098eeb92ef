#include "driver/automatic_text.h"
#include "driver/commands/commands.h"
#include "driver/commands/selection.h"
#include "driver/console.h"

#include <fmt/format.h>

namespace atl::driver {

int schedule_command(const ScheduleOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  const Choice choice = choice_by_default(options, options.kernels, options.schedule);
  const auto [c, chosen, exit_code] = select_kernels(options.file, choice, options, prover);
  if (exit_code != exit_fine)
    return exit_code;
  std::string separator;
  for (const Compiled *kernel : chosen) {
    if (kernel->schedule.empty())
      continue;
    fmt::print("{}{}", separator,
               print_automatic(schedule_of(*kernel, *c.program), *kernel, options.explain));
    separator = "\n";
  }
  return exit_fine;
}

} // namespace atl::driver
