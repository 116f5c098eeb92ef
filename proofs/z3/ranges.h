// The range of a variable, as far as hypotheses state it by comparing the variable itself with something
// known.
#pragma once
#include "atl/index/index.h"

namespace atl::proofs {

struct Range {
  std::optional<std::int64_t> lo, hi; // inclusive
};

// Ranges of names that are given values one after the other: the range of each may depend on the ones before
// it.
class Ranges {
public:
  Ranges(const std::vector<Pred> &hypotheses, const std::vector<std::string> &names);
  Range of(std::size_t position, const Valuation &earlier) const;

private:
  struct Bound {
    bool is_lower;
    Index value;
    int offset; // -1 or 1 for a strict comparison
  };
  void learn(const Pred &p);
  void learn(const Index &name, PredOp op, const Index &value);

  std::map<std::string, std::size_t> position_;
  std::vector<std::vector<Bound>> bounds_;
};

} // namespace atl::proofs
