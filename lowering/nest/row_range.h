// Rows that lie in several banks.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::lowering {

// Those of each bank.
std::vector<RowRange> in_each_bank(const RowRange &range);

bool share_rows(const RowRange &a, const RowRange &b);

} // namespace atl::lowering
