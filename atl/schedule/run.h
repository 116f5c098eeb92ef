// Runs a schedule: step by step, from the algorithm to the scheduled kernel. A step is checked before the
// next one begins: what it names is there, it can be applied, its side conditions are proved.
#pragma once
#include "atl/base/result.h"
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/choose.h"
#include "atl/syntax/steps.h"

#include <functional>

namespace atl::schedule {

// Decides an obligation: nothing if proved, else what to tell the user.
using Judge = std::function<std::optional<Diagnostic>(const Obligation &)>;

// The same of one that a kernel rests on, to be equal to another one.
using JudgeEquality = std::function<std::optional<Diagnostic>(const Obligation &, const TypedKernel &before,
                                                              const TypedKernel &after)>;

// Between two steps: the kernel, and what is asked of the hardware so far.
struct State {
  TypedKernel kernel;
  std::optional<Requests> requests;
};
std::string print(const State &state);

struct Done {
  Step step;
  State before, after;                // of the version that it is a step for
  std::vector<Obligation> conditions; // kind rewrite; proved
};

// The kernel for the sizes that satisfy `when`, which is assumed in it.
struct Version {
  Pred when;
  TypedKernel kernel;
  equality::Prophecies prophecies;
  equality::Reindexing reindexing;
  std::optional<Requests> requests; // none: it is not mapped
};

// What the step `auto` at `span` does about a decision: candidate number `choice`; nothing, if there are not
// that many.
struct Chosen {
  Span span;
  Decision decision;
  std::size_t choice;

  const Candidate *taken() const {
    return choice < decision.candidates.size() ? &decision.candidates[choice] : nullptr;
  }
};

struct Scheduled {
  std::vector<Version> versions; // the first whose condition holds is run; that of the last is true
  std::vector<Done> steps;
  std::vector<Chosen> chosen;

  const TypedKernel &general() const { return versions.back().kernel; }
};

struct Failure {
  Diagnostics diagnostics;
  std::vector<Done> steps; // those before
  std::vector<Chosen> chosen;
};

// How the steps `auto` choose.
struct Automatic {
  std::vector<std::size_t> choices =
      {};                  // for one decision after the other, in the order of Scheduled::chosen
  std::size_t further = 0; // for those after these
  // What a candidate's steps stand for. None: the program does not import strategies.
  std::function<Result<std::vector<Step>>(const std::vector<Step> &, const TypedKernel &now)> expand = {};
};
inline constexpr std::size_t choose_nothing = 1000000; // candidates that there never are

struct Setting {
  std::string name;                       // of the scheduled kernel; empty: the algorithm's
  std::vector<const Hardware *> hardware; // that may be mapped to
  rewrites::Proves proves = {};           // for rewrites that can do without
  JudgeEquality judge_equality = {};      // none: as other conditions are judged
  Automatic automatic = {};
};

// `steps` are expanded (atl/schedule/text/expand.h).
std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge, const Setting &setting = {});

} // namespace atl::schedule
