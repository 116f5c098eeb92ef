#include "accel/lanes/lanes.h"

#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

using lowering::Buffer, lowering::FirstElement, lowering::Register;

namespace {

std::vector<Index> at_lane_0(const std::vector<Index> &indices, const Lanes &lanes) {
  std::vector<Index> all;
  for (const Index &index : indices)
    all.push_back(lanes.facts.simplify(substitute(index, {{lanes.lane, constant(0)}})));
  return all;
}

Facts facts_of_lane(const Lanes &lanes) {
  Facts facts = lanes.facts;
  facts.assume(in_range(constant(0), variable(lanes.lane), constant(lanes.count)));
  return facts;
}

bool are_equal(const Index &a, const Index &b, const Facts &facts) {
  return as_constant(facts.simplify(without_remainders(sub(a, b)))) == 0;
}

} // namespace

bool is_same_in_all_lanes(const ExprPtr &e, const Lanes &lanes) {
  bool same = !mentions_variable(e, lanes.lane);
  for_each_access(e, [&](const Access &access) { same = same && !lanes.memory.contains(access.tensor); });
  return same;
}

std::optional<FirstElement> first_element(const std::string &buffer, const std::vector<Index> &indices,
                                          const Lanes &lanes, const Index &at) {
  if (indices.empty()) // one cell has no lanes
    return std::nullopt;
  const Index behind = at ? at : variable(lanes.lane);
  const Index of_lane_0 = lanes.facts.simplify(substitute(behind, {{lanes.lane, constant(0)}}));
  FirstElement first{buffer, at_lane_0(indices, lanes)};
  const Facts facts = facts_of_lane(lanes);
  const bool in_one_row = std::none_of(indices.begin(), indices.end() - 1,
                                       [&](const Index &index) { return mentions(index, lanes.lane); });
  if (!in_one_row && as_constant(of_lane_0) != 0)
    return std::nullopt;
  const Shape &dims = lanes.buffers->at(buffer).dims;
  const Index distance = in_one_row ? sub(indices.back(), first.indices.back())
                                    : sub(row_major(dims, indices), row_major(dims, first.indices));
  if (!are_equal(distance, sub(behind, of_lane_0), facts))
    return std::nullopt;
  first.indices.back() = lanes.facts.simplify(sub(first.indices.back(), of_lane_0));
  return first;
}

std::optional<Rows> rows_of(const Access &access, const Index &row, const Index &column, const Lanes &lanes) {
  const Buffer &buffer = lanes.buffers->at(access.tensor);
  const std::vector<Index> first = at_lane_0(access.indices, lanes);
  const Facts facts = facts_of_lane(lanes);
  auto is_behind = [&](std::size_t dimension, const Index &expected) {
    return are_equal(sub(access.indices[dimension], first[dimension]), expected, facts);
  };
  Index stride = constant(info(buffer.elem).bits / 8);
  const std::size_t last = first.size() - 1;
  for (std::size_t rows = last; rows-- > 0;) { // follow each other along this dimension
    stride = mul(stride, buffer.dims[rows + 1]);
    bool fits = is_behind(last, column);
    for (std::size_t d = 0; d < last && fits; ++d)
      fits = is_behind(d, d == rows ? row : constant(0));
    if (fits)
      return Rows{{access.tensor, first}, lanes.facts.simplify(stride)};
  }
  return std::nullopt;
}

std::optional<Register> whole_register(const std::string &buffer, const std::vector<Index> &indices,
                                       const Lanes &lanes) {
  if (lanes.locals.contains(buffer))
    return Register{buffer, {}};
  if (indices.empty()) // one cell has no lanes
    return std::nullopt;
  const std::vector<Index> first = at_lane_0(indices, lanes);
  const Facts facts = facts_of_lane(lanes);
  Register result{buffer, {}};
  for (std::size_t d = 0; d < indices.size(); ++d) { // the lanes lie along the last dimension alone
    const bool is_last = d + 1 == indices.size();
    const Index behind = is_last ? variable(lanes.lane) : constant(0);
    const std::optional<std::int64_t> at = as_constant(first[d]);
    if (!at || (is_last && *at != 0) || !are_equal(sub(indices[d], first[d]), behind, facts))
      return std::nullopt;
    if (!is_last)
      result.indices.push_back(*at);
  }
  return result;
}

} // namespace atl::accel
