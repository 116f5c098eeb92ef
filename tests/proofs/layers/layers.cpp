#include "tests/proofs/layers/layers.h"

#include "driver/commands/theorems.h"
#include "driver/library.h"
#include "driver/pipeline.h"
#include "lowering/verify/instructions.h"
#include "proofs/reader/coq/theorem.h"
#include "proofs/theorem/coq_check.h"
#include "tests/proofs/layers/compare_runs.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace atl::layers {

namespace {

using driver::Compilation, driver::Compiled;
using Refusals = std::map<std::string, std::string>;

// coqc may take any time; a theorem that is false is mostly refused within a second.
constexpr unsigned coq_seconds = 300;

const Compiled &find(const Compilation &c, const Question &question) {
  const std::string schedule = question.schedule == "none" ? "" : question.schedule;
  for (const Compiled &kernel : c.kernels)
    if (kernel.name == question.kernel && kernel.schedule == schedule && kernel.loops)
      return kernel;
  throw std::runtime_error(c.diagnostics.empty() ? "no such kernel" : render(c.diagnostics[0], c.sources));
}

// What the validator of mapped nests states: what instructions compute, touch and need.
bool is_of_mapping(const Obligation &o, const std::vector<Obligation> &of_instructions) {
  return o.kind == ObligationKind::instr ||
         std::any_of(of_instructions.begin(), of_instructions.end(),
                     [&](const Obligation &other) { return other.kind == o.kind && other.what == o.what; });
}

void ask_z3(const Compiled &kernel, Refusals &all) {
  const std::vector<Obligation> of_instructions = lowering::verify_instructions(*kernel.loops);
  all["Z3"] = "";
  if (kernel.loops->hardware)
    all["validator"] = "";
  for (const driver::Decided &decided : kernel.decided)
    if (decided.verdict.status != proofs::Verdict::Status::proved)
      all[is_of_mapping(decided.obligation, of_instructions) ? "validator" : "Z3"] = decided.obligation.what;
}

void ask_c_reader(const Compiled &kernel, Refusals &all) {
  proofs::Prover prover;
  const driver::Library library = driver::make_library("kernels", {*kernel.loops}, prover);
  all["C reader"] = library.ok() ? "" : library.problems[0].message;
}

void ask_about_theorem(const Compiled &kernel, const Compilation &c, const Question &question,
                       Refusals &all) {
  auto text = driver::theorem_text(kernel, c, "asked");
  if (auto *problem = std::get_if<proofs::coq::Unsupported>(&text))
    throw std::runtime_error("no theorem: " + problem->what);
  const std::string &theorem = std::get<std::string>(text);
  auto read = proofs::reader::read_theorem(theorem, {kernel.algorithm, *kernel.loops, kernel.example}, 0);
  all["theorem reader"] = read ? "" : read.errors()[0].message;
  const std::filesystem::path file = question.folder / "asked.v";
  std::ofstream(file) << theorem;
  auto checked = proofs::coq::check(file, question.coq_library, coq_seconds);
  if (!checked)
    throw std::runtime_error(checked.errors()[0].message);
  all["coqc"] = checked->proved ? "" : checked->problem;
}

} // namespace

Refusals refusals(const Question &question) {
  proofs::Prover prover;
  const Compilation c = driver::compile(question.program, prover, driver::Until::proved,
                                        {{question.kernel}, question.schedule, true});
  const Compiled &kernel = find(c, question);
  Refusals all;
  ask_z3(kernel, all);
  ask_c_reader(kernel, all);
  ask_about_theorem(kernel, c, question, all);
  if (!kernel.loops->hardware) // there may be no CPU for its instructions
    all["interpreter"] = compare_runs(kernel);
  return all;
}

} // namespace atl::layers
