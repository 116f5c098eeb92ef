#include "driver/commands/commands.h"

#include "atl/base/printable.h"
#include "driver/commands/report.h"
#include "driver/commands/theorems.h"
#include "driver/io/files.h"
#include "driver/library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl::driver {

// Writes one SMT-LIB file per obligation, named by its id.
static std::optional<Diagnostic> write_obligations(const Compiled &kernel, const Sources &sources,
                                                   const std::vector<proofs::ObligationRow> &rows,
                                                   const std::filesystem::path &folder) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (auto error = write_file(folder / (rows[i].id + ".smt2"),
                                proofs::to_smtlib(kernel.decided[i].obligation, sources)))
      return error;
  return std::nullopt;
}

// What `build` would write of those kernels that are proved.
static Library library_of(const std::vector<const Compiled *> &kernels, proofs::Prover &prover) {
  std::vector<lowering::LoopKernel> loops;
  for (const Compiled *kernel : kernels)
    if (kernel->proved)
      loops.push_back(*kernel->loops);
  return make_library("kernels", std::move(loops), prover);
}

int prove_command(const ProveOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  const Choice choice{options.kernels, options.schedule};
  Compilation c = compile(options.file, prover, Until::proved, choice);
  print_diagnostics(c.diagnostics, c.sources);
  if (c.kernels.empty())
    return exit_wrong;
  auto chosen = choose(c, choice);
  if (!chosen)
    return fail(chosen.errors()[0]);
  if (auto error = make_folder(options.folder))
    return fail(*error);
  nlohmann::ordered_json functions = nlohmann::ordered_json::array(), kernels = functions;
  std::vector<proofs::ObligationRow> all;
  auto report = [&](const Compiled &definition, nlohmann::ordered_json &into) {
    auto rows = rows_of(definition, c.sources);
    into.push_back(to_json(definition, rows));
    all.insert(all.end(), rows.begin(), rows.end());
    return write_obligations(definition, c.sources, rows, options.folder);
  };
  for (const Compiled &function : c.functions)
    if (auto error = report(function, functions))
      return fail(*error);
  for (const Compiled *kernel : *chosen)
    if (auto error = report(*kernel, kernels))
      return fail(*error);
  if (!options.json)
    fmt::print("{}", proofs::table(all));
  const Library library = library_of(*chosen, prover);
  print_diagnostics(library.problems, library.sources);
  if (!options.json)
    fmt::print("{}", summary(library));
  bool ok = c.ok() && library.ok();
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
    fmt::print("{}\n", nlohmann::ordered_json{{"file", printable(options.file)},
                                              {"ok", ok},
                                              {"ms", c.total_ms},
                                              {"functions", functions},
                                              {"kernels", kernels},
                                              {"c", to_json(library)}}
                           .dump());
  return ok ? exit_fine : exit_wrong;
}

} // namespace atl::driver
