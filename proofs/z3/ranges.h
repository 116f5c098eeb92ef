// The range of a variable, as far as hypotheses state it by comparing the variable itself with something
// known. Bounds of an index (atl/index/bounds.h) hold for all values of its variables; these are for the
// search for one counterexample, at values that the earlier variables have.
#pragma once
#include "atl/index/solve.h"

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
  void learn(const StatedBound &stated);

  std::map<std::string, std::size_t> position_;
  std::vector<std::vector<Bound>> bounds_;
};

} // namespace atl::proofs
