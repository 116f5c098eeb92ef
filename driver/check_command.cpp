#include "driver/commands.h"

#include "driver/laws.h"
#include "driver/report.h"

#include <fmt/format.h>

namespace atl::driver {

int check_command(const CheckOptions &options) {
  int exit_code = exit_fine;
  for (const std::string &file : options.files) {
    proofs::Prover prover(options.timeout_ms);
    Compilation c = compile(file, prover);
    if (!c.ok())
      exit_code = exit_wrong;
    if (options.json) {
      fmt::print("{}\n", to_json(c, file).dump());
      continue;
    }
    print_diagnostics(c.diagnostics, c.sources);
    std::size_t obligations = 0, kernels = 0;
    for (const CompiledKernel &kernel : c.kernels) {
      obligations += kernel.decided.size();
      kernels += kernel.schedule.empty();
    }
    for (const CompiledKernel &kernel : c.kernels)
      if (kernel.proved && !kernel.schedule.empty())
        fmt::print("{} under {}: equal to its algorithm, {}\n", kernel.name, kernel.schedule,
                   agreement(kernel.laws));
    if (c.ok())
      fmt::print("{}: ok, {} kernel{}, {} obligations proved in {:.0f} ms\n", file, kernels,
                 kernels == 1 ? "" : "s", obligations, c.total_ms);
    else
      fmt::print("{}: {} error{}\n", file, c.diagnostics.size(), c.diagnostics.size() == 1 ? "" : "s");
  }
  return exit_code;
}

} // namespace atl::driver
