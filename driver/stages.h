// The stages of one kernel, from its types to its loop nest, with every obligation decided on the way.
#pragma once
#include "atl/base/result.h"
#include "driver/compiled.h"

#include <functional>

namespace atl::driver {

struct Asked {
  std::vector<Step> steps;                   // of the schedule, expanded; none: as it is written
  Span span;                                 // of the schedule
  const std::vector<accel::Target> &targets; // the hardware that may be asked for
  bool look = false;                         // go on where obligations are open, so that all can be looked at
  schedule::Automatic automatic = {};        // for the steps `auto`
};

// typed: the obligations of the checker. rounded: whether the kernel allows what its floats go through.
// proved: those of the loop nest, with instructions or without.
enum class Stage { typed, scheduled, equal, checked, lowered, mapped, rounded, proved };

Compiled start(TypedKernel algorithm, std::string schedule = "");

// Runs these stages, until one of them fails. What fails is told, once for each place and code.
void run_stages(Compiled &compiled, const std::vector<Stage> &stages, const Asked &asked,
                proofs::Prover &prover, Diagnostics &diagnostics);

// True if all are proved; each that is not becomes a diagnostic. `confirm` looks again at each verdict.
using Confirm = std::function<proofs::Verdict(const Obligation &, proofs::Verdict)>;
bool discharge(const std::vector<Obligation> &obligations, proofs::Prover &prover,
               std::vector<Decided> &decided, Diagnostics &diagnostics, const Confirm &confirm = nullptr);

// Adds what is not told yet: of problems about one place with one code, the first.
void tell(const Diagnostic &problem, Diagnostics &diagnostics);

} // namespace atl::driver
