// What may be done about a part of a kernel.
#pragma once
#include "atl/syntax/steps.h"

#include <string>
#include <vector>

namespace atl::schedule {

struct Candidate {
  std::string reason;
  std::vector<Step> steps;
  std::string estimate = {}; // what its numbers were chosen by
};

// The best candidate first. To do nothing is always possible.
struct Decision {
  std::string tensor; // that it is about, most of all
  std::vector<Candidate> candidates;
};

} // namespace atl::schedule
