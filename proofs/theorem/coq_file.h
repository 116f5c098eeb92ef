// The Coq file of a compiled kernel: algorithm, scheduled program and loop nest as data, and the theorem that
// the loop nest computes what the algorithm denotes (proofs/coq/lowering/Compiled.v). It compiles against
// proofs/coq alone.
#pragma once
#include "atl/equality/denote.h"
#include "atl/equality/laws.h"
#include "proofs/theorem/coq_obligations.h"
#include "proofs/theorem/coq_terms.h"

#include <variant>
#include <vector>

namespace atl::proofs::coq {

struct Version {
  Pred when;                             // the first whose condition holds is run; that of the last is true
  const TypedKernel &scheduled, &normal; // the second is lowered
  equality::Prophecies prophecies;       // of its temporaries
  std::vector<equality::Renumbered> renumbered;
};
struct Subject {
  std::string name; // of the kernel, or of the kernel and its schedule
  const TypedKernel &algorithm;
  std::vector<Version> versions;
  const lowering::LoopKernel &loops;
  Valuation example;                        // sizes that satisfy the assumptions
  std::vector<NamedObligation> obligations; // to be proved once more
  equality::Laws used = {};                 // in the proofs of equality
};

std::variant<std::string, Unsupported> file(const Subject &subject);

} // namespace atl::proofs::coq
