// Whether two expressions have the same value in a lane: compared by what is known there, up to roundings
// that are allowed. What a yes rests on is noted.
#pragma once
#include "accel/lanes/premises.h"
#include "accel/lanes/register_reads.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>

namespace atl::accel {

struct LoopSurroundings {
  Known known;
  bool contracts; // a * b + c may be rounded once
  const std::map<std::string, lowering::Buffer> &buffers;
  Premises &premises;
  const std::map<std::string, RegisterReads> &reads; // of the temporaries in registers
  bool at_last = false; // asks by all that is known together, as no other way is left

  LoopSurroundings where(const Pred &fact) const { return at(known.where(fact)); }
  LoopSurroundings inside(const LoopRange &loop) const { return at(known.inside(loop)); }
  bool proves(const Pred &p) const {
    return premises.holds(p, known) || (at_last && premises.holds_at_last(p, known));
  }

private:
  LoopSurroundings at(Known place) const {
    place.facts(); // found out once for the places that are made of this one
    return {std::move(place), contracts, buffers, premises, reads, at_last};
  }
};

bool same_value(const ExprPtr &a, const ExprPtr &b, const LoopSurroundings &around);

// The same element, also where an index runs on into the next row.
bool same_place(const Access &a, const Access &b, const LoopSurroundings &around);

} // namespace atl::accel
