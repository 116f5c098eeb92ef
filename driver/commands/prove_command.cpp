#include "driver/commands/commands.h"

#include "atl/base/printable.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/commands/theorems.h"
#include "driver/console.h"
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

namespace {

using Json = nlohmann::ordered_json;

// What has been proved so far.
struct Proved {
  Json functions = Json::array(), kernels = Json::array(), c = Json();
  std::vector<proofs::ObligationRow> rows;
  bool ok = false;
};

std::optional<Diagnostic> prove_obligations(const Compilation &c, const std::vector<const Compiled *> &chosen,
                                            const ProveOptions &options, Proved &proved) {
  auto prove = [&](const Compiled &definition, Json &into) {
    auto rows = rows_of(definition, c.sources);
    into.push_back(to_json(definition, rows));
    proved.rows.insert(proved.rows.end(), rows.begin(), rows.end());
    return write_obligations(definition, c.sources, rows, options.folder);
  };
  for (const Compiled &function : c.functions)
    if (auto error = prove(function, proved.functions))
      return error;
  for (const Compiled *kernel : chosen)
    if (auto error = prove(*kernel, proved.kernels))
      return error;
  if (!options.json)
    summarize("{}", proofs::table(proved.rows, output_style()));
  return std::nullopt;
}

void read_c_back(const std::vector<const Compiled *> &chosen, const ProveOptions &options,
                 proofs::Prover &prover, Proved &proved) {
  const Library library = library_of(chosen, prover);
  print_diagnostics(library.problems, library.sources);
  if (!options.json)
    summarize("{}", summary(library));
  proved.c = to_json(library);
  proved.ok = proved.ok && library.ok();
}

std::optional<Diagnostic> prove_by_coq(const Compilation &c, const std::vector<const Compiled *> &chosen,
                                       const ProveOptions &options, Proved &proved) {
  auto theorems = prove_theorems(chosen, c, options);
  if (!theorems)
    return theorems.errors()[0];
  for (std::size_t i = 0; i < theorems->size(); ++i) {
    proved.ok = proved.ok && (*theorems)[i].ok;
    proved.kernels[i]["coq"] = to_json((*theorems)[i]);
  }
  if (!options.json)
    summarize("\n{}", table(*theorems, output_style()));
  return std::nullopt;
}

std::optional<Diagnostic> prove_all(const Compilation &c, const ProveOptions &options, proofs::Prover &prover,
                                    Proved &proved) {
  if (c.kernels.empty())
    return std::nullopt;
  auto chosen = choose(c, choice_of(options, options.kernels, options.schedule));
  if (!chosen)
    return chosen.errors()[0];
  if (auto error = make_folder(options.folder))
    return error;
  proved.ok = c.ok();
  if (auto error = prove_obligations(c, *chosen, options, proved))
    return error;
  read_c_back(*chosen, options, prover, proved);
  return options.coq ? prove_by_coq(c, *chosen, options, proved) : std::nullopt;
}

} // namespace

int prove_command(const ProveOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  Compilation c = compile(options.file, prover, Until::proved,
                          choice_of(options, options.kernels, options.schedule), options.import_folders);
  print_diagnostics(c.diagnostics, c.sources);
  Proved proved;
  const std::optional<Diagnostic> problem = prove_all(c, options, prover, proved);
  if (problem)
    c.diagnostics.push_back(*problem);
  if (options.json)
    fmt::print("{}\n", Json{{"file", printable(options.file)},
                            {"ok", proved.ok && !problem},
                            {"ms", c.total_ms},
                            {"functions", proved.functions},
                            {"kernels", proved.kernels},
                            {"c", proved.c},
                            {"diagnostics", to_json(c.diagnostics, c.sources)}}
                           .dump());
  if (problem)
    return fail(*problem);
  return proved.ok ? exit_fine : exit_wrong;
}

} // namespace atl::driver
