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

struct Done {
  Step step;
  TypedKernel before, after;          // of the version that it is a step for
  std::vector<Obligation> conditions; // kind rewrite; proved
};

// The kernel for the sizes that satisfy `when`, which is assumed in it.
struct Version {
  Pred when;
  TypedKernel kernel;
  equality::Prophecies prophecies;
  equality::Reindexing reindexing;
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

// `steps` are expanded (atl/schedule/text/expand.h).
std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge);

} // namespace atl::schedule
