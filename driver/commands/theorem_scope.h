// What a theorem says, and of what: so that "proved" does not promise more.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::driver {

struct TheoremScope {
  std::vector<std::string> laws; // of scalars, that are its hypotheses: commutes "+.f32"
  std::string hardware;          // whose instructions run in place of its loops; empty: none

  std::vector<std::string> laws_of_floats() const; // those that IEEE floats need not obey
  std::string agreement() const;                   // "bit by bit", or the laws of floats
  std::string covers() const;                      // the loops that it is about
};

// `text`: the file that coqc reads.
TheoremScope scope_of_theorem(const std::string &text, const lowering::LoopKernel &loops);

} // namespace atl::driver
