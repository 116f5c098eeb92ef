#include "lowering/nest/row_range.h"

namespace atl::lowering {

std::vector<RowRange> in_each_bank(const RowRange &range) {
  std::vector<RowRange> parts;
  for (std::int64_t b = 0; b < range.banks; ++b)
    parts.push_back({range.first + b * range.apart, range.count});
  return parts;
}

bool share_rows(const RowRange &a, const RowRange &b) {
  for (const RowRange &mine : in_each_bank(a))
    for (const RowRange &other : in_each_bank(b))
      if (mine.first < other.first + other.count && other.first < mine.first + mine.count)
        return true;
  return false;
}

} // namespace atl::lowering
