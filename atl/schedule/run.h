// Runs a schedule: step by step, from the algorithm to the scheduled kernel. A step is checked before the
// next one begins: what it names is there, it can be applied, its side conditions are proved.
#pragma once
#include "atl/base/result.h"
#include "atl/rewrites/rewrites.h"
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

struct Scheduled {
  std::vector<Version> versions; // the first whose condition holds is run; that of the last is true
  std::vector<Done> steps;

  const TypedKernel &general() const { return versions.back().kernel; }
};

struct Failure {
  Diagnostics diagnostics;
  std::vector<Done> steps; // those before
};

struct Setting {
  std::string name;                       // of the scheduled kernel; empty: the algorithm's
  std::vector<const Hardware *> hardware; // that may be mapped to
  rewrites::Proves proves = {};           // for rewrites that can do without
  JudgeEquality judge_equality = {};      // none: as other conditions are judged
};

// `steps` are expanded (atl/schedule/text/expand.h).
std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge, const Setting &setting = {});

} // namespace atl::schedule
