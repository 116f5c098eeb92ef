// How long coqc takes for the theorem of every kernel and schedule of the examples, with the library built.
// The goals stand in the place of peers.
#include "bench/examples.h"
#include "bench/row.h"

#include "cbackend/host/temp_folder.h"
#include "driver/commands/theorems.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace atl::bench {

namespace {

constexpr double goal_s = 60, median_goal_s = 10;

// Those that coqc does not accept say so in their names: what coqc took is then how long it took to refuse.
void measure_program(const std::filesystem::path &program, const Options &options,
                     const std::filesystem::path &folder, Rows &rows) {
  proofs::Prover prover;
  driver::Compilation c = driver::compile(program, prover);
  std::vector<const driver::Compiled *> kernels;
  for (const driver::Compiled &kernel : c.kernels)
    if (kernel.proved && (!options.quick || kernel.schedule.empty()))
      kernels.push_back(&kernel);
  driver::ProveOptions prove;
  prove.folder = folder.string();
  prove.cache = ""; // what is measured is not to be remembered
  auto theorems = driver::prove_theorems(kernels, c, prove);
  if (!theorems) {
    fmt::print(stderr, "{}\n", theorems.errors()[0].message);
    return;
  }
  for (const driver::TheoremRow &theorem : *theorems)
    if (theorem.seconds > 0)
      rows.push_back(
          {"coq",
           fmt::format("{}, {}{}", program.stem().string(), theorem.name, theorem.ok ? "" : ", not proved"),
           "s",
           theorem.seconds,
           {{"goal", goal_s}}});
}

double median(const std::vector<Row> &rows) {
  std::vector<double> seconds;
  for (const Row &row : rows)
    seconds.push_back(row.ours);
  auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

} // namespace

Rows coq_suite(const Options &options) {
  Rows rows;
  auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
  if (!folder)
    return rows;
  for (const std::filesystem::path &program : example_programs())
    measure_program(program, options, folder->path(), rows);
  if (!rows.all().empty())
    rows.push_back({"coq", "median", "s", median(rows.all()), {{"goal", median_goal_s}}});
  return rows;
}

} // namespace atl::bench
