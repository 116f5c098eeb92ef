// What the reshape operators share: the first extent or index replaced, the rest kept.
#pragma once
#include "atl/ops/reshape_op.h"

namespace atl::ops {

// `front` in place of the first `drop` elements of `list`.
inline std::vector<Index> replace_front(std::size_t drop, std::vector<Index> front,
                                        const std::vector<Index> &list) {
  front.insert(front.end(), list.begin() + static_cast<std::ptrdiff_t>(drop), list.end());
  return front;
}

inline Requirement amount_not_negative(const Index &amount, std::string_view op) {
  return {compare(PredOp::ge, amount, constant(0)), "the amount of " + std::string(op) + " is not negative"};
}

inline Requirement amount_fits(const Index &amount, const Index &extent, std::string_view op) {
  return {compare(PredOp::le, amount, extent), "the amount of " + std::string(op) + " is at most the extent"};
}

} // namespace atl::ops
