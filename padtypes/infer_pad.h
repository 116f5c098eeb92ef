// Pad types, bottom up.
#pragma once
#include "atl/index/known.h"
#include "padtypes/pad_type.h"

#include <cstdint>
#include <map>
#include <vector>

namespace atl::padtypes {

// Where an expression stands: what is known there, loop variables whose value is fixed, and how many more
// iterations may be looked at one by one.
struct Place {
  Known known;
  Subst fixed;
  std::int64_t iterations = 256;
  std::optional<Reduction> filling; // the reduction that fills the tensor the expression is part of
  // If given: whether the truncations met with no variable fixed cut only padding, as far as types tell.
  std::map<const Reshape *, bool> *truncations = nullptr;

  Place with(const Pred &p) const;
  Place inside(const LoopRange &range) const; // the loop's variable is free
  Place iteration(const std::string &var, std::int64_t value, std::int64_t of) const;
  Index here(const Index &e) const { return fixed.empty() ? e : substitute(e, fixed); }
  LoopRange range_of(const std::string &var, const Index &lo, const Index &hi) const {
    return {var, here(lo), here(hi)};
  }
};

PadTypePtr infer_pad(const ExprPtr &e, const Place &place);

// Whether the type of its operand shows that a truncation cuts only padding. `loops` are those around it: if
// all sizes are known numbers, the truncation is looked at in every iteration, as in the published system.
bool cuts_only_padding(const Reshape &truncation, const Place &place, const std::vector<LoopRange> &loops);

} // namespace atl::padtypes
