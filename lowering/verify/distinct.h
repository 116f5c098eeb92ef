// Obligations, each once: copies of unrolled loops say much of the same.
#pragma once
#include "atl/index/obligation.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace atl::lowering {

class Distinct {
public:
  void know(const Obligation &o); // said elsewhere
  void add(Obligation o);
  std::vector<Obligation> take() { return std::move(all_); }

private:
  bool is_new(const Obligation &o);

  std::set<std::string> said_;
  std::vector<Obligation> all_;
};

} // namespace atl::lowering
