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
  void add(Obligation o);
  std::vector<Obligation> take() { return std::move(all_); }

private:
  std::set<std::string> said_;
  std::vector<Obligation> all_;
};

} // namespace atl::lowering
