// What a theorem says, and of what: so that "proved" does not promise more.
#pragma once
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

} // namespace atl::driver
