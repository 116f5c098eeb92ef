// Schedules from text for unit tests: run, proved equal, lowered, and compared with the algorithm on sizes.
#pragma once
#include "atl/check/check.h"
#include "tests/support/from_text.h"

#include "atl/equality/equality.h"
#include "atl/meaning/eval.h"
#include "atl/schedule/run.h"
#include "atl/schedule/text/expand.h"
#include "lowering/copies/versions.h"
#include "proofs/discharge.h"

namespace atl::testing {

struct ScheduledText {
  std::string problem; // "" if all is well; else the first message
  TypedKernel algorithm, kernel;
  std::vector<lowering::Version> versions;
  lowering::LoopKernel loops; // if there is no problem
  bool in_order = true, used_laws = false;
};

inline proofs::Prover &shared_prover() {
  static proofs::Prover prover;
  return prover;
}

// The first problem of some obligations; empty if all are proved.
inline std::string first_problem(const std::vector<Obligation> &obligations) {
  for (const Obligation &o : obligations)
    if (auto problem = proofs::explain(o, shared_prover().decide(o)))
      return std::string(name(o.kind)) + ": " + problem->message;
  return "";
}

// The last kernel of the text under its last schedule: everything but code.
inline ScheduledText scheduled(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  auto program = parse_program(sources, file);
  REQUIRE_MESSAGE(program, (program ? "" : program.errors().at(0).message));
  auto typed = check_program(*program);
  REQUIRE_MESSAGE(typed, (typed ? "" : typed.errors().at(0).message));
  ScheduledText result;
  result.algorithm = result.kernel = typed->kernels.back();
  auto steps = expand(program->schedules.back(), *program, program->kernels.back());
  REQUIRE_MESSAGE(steps, (steps ? "" : steps.errors().at(0).message));
  schedule::Setting setting;
  setting.proves = [](const Obligation &o) { return shared_prover().proves(o); };
  for (const Hardware &hardware : program->hardware)
    setting.hardware.push_back(&hardware);
  auto outcome = schedule::run(
      result.algorithm, *steps,
      [](const Obligation &o) { return proofs::explain(o, shared_prover().decide(o)); }, setting);
  if (auto *failure = std::get_if<schedule::Failure>(&outcome)) {
    result.problem = failure->diagnostics.at(0).message;
    return result;
  }
  auto &done = std::get<schedule::Scheduled>(outcome);
  result.kernel = done.general();
  for (const schedule::Version &version : done.versions) {
    auto equality = equality::equal_obligations(result.algorithm, version.kernel, version.prophecies,
                                                result.kernel.span, version.reindexing);
    result.used_laws = result.used_laws || !equality.laws.empty();
    for (const Obligation &o : equality.order)
      result.in_order =
          result.in_order && shared_prover().decide(o).status == proofs::Verdict::Status::proved;
    if (result.problem.empty())
      result.problem = first_problem(equality.obligations);
    const padtypes::CheckedKernel checked = padtypes::check_pads(version.kernel);
    result.versions.push_back({version.when, lowering::normal_form(checked)});
    if (result.problem.empty())
      result.problem = first_problem(checked.obligations);
  }
  if (!result.problem.empty())
    return result;
  auto loops = lowering::lower(result.versions, result.algorithm.assumptions);
  if (!loops) {
    result.problem = loops.errors().at(0).message;
    return result;
  }
  result.loops = *loops;
  result.problem = first_problem(loops->obligations);
  return result;
}

} // namespace atl::testing
