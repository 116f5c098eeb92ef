#include "fuzz/hostile_drive.h"

#include "atl/base/check.h"
#include "atl/syntax/print.h"
#include "cbackend/library/emit_c.h"
#include "driver/commands/report.h"
#include "driver/commands/scheduled_view.h"
#include "driver/commands/theorems.h"
#include "driver/functions.h"
#include "driver/library.h"
#include "lowering/nest/run_loops.h"
#include "proofs/reader/coq/theorem.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace atl::fuzz {

namespace {

// What `show` and `prove` write of it.
void print_all(const driver::Compiled &kernel, const driver::Compilation &c) {
  print(kernel.algorithm);
  if (auto view = driver::view_step(kernel, std::nullopt, true); !view)
    render(view.errors()[0], c.sources);
  for (const schedule::Version &version : kernel.versions)
    padtypes::show_pads(version.kernel);
  for (const driver::Decided &decided : kernel.decided)
    proofs::to_smtlib(decided.obligation, c.sources);
  if (kernel.loops) {
    lowering::print(*kernel.loops);
    lowering::print_mapped(*kernel.loops);
  }
}

// The theorems about all that is proved; what their reader says against them.
std::string read_theorems(const driver::Compilation &c) {
  for (const driver::Compiled &kernel : c.kernels) {
    if (!kernel.proved)
      continue;
    const auto text = driver::theorem_text(kernel, c, "theorem");
    if (!std::holds_alternative<std::string>(text))
      continue;
    const auto laws = proofs::reader::read_theorem(std::get<std::string>(text),
                                                   {kernel.algorithm, *kernel.loops, kernel.example}, 0);
    if (!laws)
      return "theorem: " + laws.errors()[0].message;
  }
  return "";
}

// The C of all that is proved; what the reader says against it.
std::string read_c(const driver::Compilation &c, proofs::Prover &prover) {
  std::vector<lowering::LoopKernel> loops;
  for (const driver::Compiled &kernel : c.kernels)
    if (kernel.proved)
      loops.push_back(*kernel.loops);
  if (loops.empty())
    return "";
  const driver::Library library = driver::make_library("hostile", std::move(loops), prover);
  return library.ok() ? "" : render(library.problems[0], library.sources);
}

Driven::Reached reached_by(const driver::Compilation &c) {
  const bool proved = std::any_of(c.kernels.begin(), c.kernels.end(),
                                  [](const driver::Compiled &kernel) { return kernel.proved; });
  if (proved)
    return c.ok() ? Driven::Reached::proved : Driven::Reached::open;
  return c.kernels.empty() ? Driven::Reached::refused : Driven::Reached::typed;
}

Driven compile_and_print(const std::filesystem::path &file) {
  proofs::Prover prover;
  const driver::Choice all{{}, "", true}; // also what is not proved goes as far as `show` takes it
  const driver::Compilation c = driver::compile(file, prover, driver::Until::proved, all);
  for (const Diagnostic &d : c.diagnostics)
    render(d, c.sources);
  driver::to_json(c, file.string()).dump();
  if (c.program)
    print(*c.program);
  for (const driver::Compiled &kernel : c.kernels)
    print_all(kernel, c);
  const std::string problem = read_c(c, prover);
  return {reached_by(c), problem.empty() ? read_theorems(c) : problem};
}

} // namespace

Driven drive(const std::string &text, const std::filesystem::path &file) {
  std::ofstream(file) << text;
  try {
    return compile_and_print(file);
  } catch (const std::exception &error) {
    return {Driven::Reached::refused, fmt::format("internal error: {}", error.what())};
  }
}

} // namespace atl::fuzz
