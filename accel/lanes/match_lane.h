// The meaning of an instruction on lanes, and what each lane computes -> its operands. What it finds is
// checked by validate.h.
#pragma once
#include "accel/describe/pattern.h"
#include "accel/lanes/cover.h"

namespace atl::accel {

// A sum of the meaning, and the sum of the expression that it is.
struct Terms {
  std::string variable, of;
  std::int64_t count;
};

struct LaneMatch {
  int cost = 0; // instructions that compute the operands
  std::optional<Terms> terms;
  std::map<std::string, lowering::LaneOperand> operands;
  std::map<std::string, ExprPtr> covered; // what each operand stands for
};
std::optional<LaneMatch> match_lane(const Pattern &pattern, const ExprPtr &e, Cover &cover);

} // namespace atl::accel
