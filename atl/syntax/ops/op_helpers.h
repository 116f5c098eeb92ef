// What the reshape operators share: the first extent or index replaced, the rest kept.
#pragma once
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>

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

// The dimension that an argument names; 0 if it names none, which the requirements refuse.
inline std::size_t place_of(const Index &dimension, std::size_t rank) {
  std::int64_t d = as_constant(dimension).value_or(0);
  return d >= 0 && d < static_cast<std::int64_t>(rank) ? static_cast<std::size_t>(d) : 0;
}

// `list` with the element at `from` taken out and put back in at `to`.
inline std::vector<Index> moved(std::vector<Index> list, std::size_t from, std::size_t to) {
  auto at = [&](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  if (from < to)
    std::rotate(at(from), at(from) + 1, at(to) + 1);
  else
    std::rotate(at(to), at(from), at(from) + 1);
  return list;
}

inline std::vector<Requirement> a_dimension(const Index &dimension, std::size_t rank, std::string_view op) {
  auto d = as_constant(dimension);
  bool right = d && *d >= 0 && *d < static_cast<std::int64_t>(rank);
  if (right)
    return {};
  return {{truth(false),
           std::string(op) + " " + to_string(dimension, precedence::atom) +
               " does not name a dimension of its operand: write a number from 0 to " +
               std::to_string(rank - 1),
           Requirement::Kind::rank}};
}

} // namespace atl::ops
