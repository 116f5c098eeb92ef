// Whether two expressions have the same value in a lane: decided by what is known there, up to roundings that
// are allowed.
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>

namespace atl::accel {

struct LoopSurroundings {
  Facts facts;    // what holds there
  bool contracts; // a * b + c may be rounded once
  const std::map<std::string, lowering::Buffer> &buffers;
};

bool same_value(const ExprPtr &a, const ExprPtr &b, const LoopSurroundings &around);

// The same element, also where an index runs on into the next row.
bool same_place(const Access &a, const Access &b, const LoopSurroundings &around);

} // namespace atl::accel
