#include "driver/commands.h"

#include "driver/files.h"
#include "driver/report.h"
#include "driver/theorems.h"

#include <fmt/format.h>

namespace atl::driver {

// Writes one SMT-LIB file per obligation, named by its id.
static std::optional<Diagnostic> write_obligations(const CompiledKernel &kernel, const Sources &sources,
                                                   const std::vector<proofs::ObligationRow> &rows,
                                                   const std::filesystem::path &folder) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (auto error = write_file(folder / (rows[i].id + ".smt2"),
                                proofs::to_smtlib(kernel.decided[i].obligation, sources)))
      return error;
  return std::nullopt;
}

int prove_command(const ProveOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  Compilation c = compile(options.file, prover);
  print_diagnostics(c.diagnostics, c.sources);
  if (c.kernels.empty())
    return exit_wrong;
  auto chosen = choose(c, {options.kernels, options.schedule});
  if (!chosen)
    return fail(chosen.errors()[0]);
  if (auto error = make_folder(options.folder))
    return fail(*error);
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  std::vector<proofs::ObligationRow> all;
  for (const CompiledKernel *kernel : *chosen) {
    auto rows = rows_of(*kernel, c.sources);
    if (auto error = write_obligations(*kernel, c.sources, rows, options.folder))
      return fail(*error);
    kernels.push_back(to_json(*kernel, rows));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (!options.json)
    fmt::print("{}", proofs::table(all));
  bool ok = c.ok();
  if (options.coq) {
    auto theorems = prove_theorems(*chosen, c, options);
    if (!theorems)
      return fail(theorems.errors()[0]);
    for (std::size_t i = 0; i < theorems->size(); ++i) {
      ok = ok && (*theorems)[i].ok;
      kernels[i]["coq"] = to_json((*theorems)[i]);
    }
    if (!options.json)
      fmt::print("\n{}", table(*theorems));
  }
  if (options.json)
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"file", options.file}, {"ok", ok}, {"ms", c.total_ms}, {"kernels", kernels}}
            .dump());
  return ok ? exit_fine : exit_wrong;
}

} // namespace atl::driver
