// A loop inside a vectorized one, which adds a constant number of terms to what a lane has: as one
// expression.
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <optional>
#include <string>

namespace atl::accel {

// The store of the sum, where `runs` holds. Integers only: sums of floats depend on the order. A term that
// does not count is a product with 0: its guard is on a factor, and factors that can be read anyway have
// none.
struct LaneSum {
  Pred runs;
  lowering::Store store;
};
std::optional<LaneSum> lane_sum(const lowering::For &loop, Facts facts,
                                const std::map<std::string, lowering::Buffer> &buffers);

// The access is inside a tensor of these dimensions, wherever the facts hold.
bool is_inside(const Access &access, const Shape &dims, const Facts &facts);

} // namespace atl::accel
