// The lanes of a vectorized loop: what its body may refer to, and where the lanes of an access lie.
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace atl::accel {

struct Lanes {
  std::string lane; // the loop variable, from 0
  std::int64_t count;
  Facts facts;                               // besides the range of the lane
  std::map<std::string, std::string> memory; // of each tensor in registers, and of each local of the loop
  std::set<std::string> locals;
  bool contracts; // a * b + c may be rounded once
  const std::map<std::string, lowering::Buffer> *buffers;
};

bool is_same_in_all_lanes(const ExprPtr &e, const Lanes &lanes);

// The element of lane 0, if the lanes are elements one after the other; or, with `at`, the element that each
// lane is that far behind.
std::optional<lowering::FirstElement> first_element(const std::string &buffer,
                                                    const std::vector<Index> &indices, const Lanes &lanes,
                                                    const Index &at = nullptr);

// The first element of rows, and how many bytes each lies behind the one before, if each lane is the element
// in that row and column.
struct Rows {
  lowering::FirstElement first;
  Index stride;
};
std::optional<Rows> rows_of(const Access &access, const Index &row, const Index &column, const Lanes &lanes);

// The register that the lanes of an access are, if they are exactly one.
std::optional<lowering::Register> whole_register(const std::string &buffer, const std::vector<Index> &indices,
                                                 const Lanes &lanes);

} // namespace atl::accel
