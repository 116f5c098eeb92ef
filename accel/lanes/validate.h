// Whether the instructions of a mapped loop compute what the loop computes: their meanings are put together
// again and compared with it. Independent of how they were found (cover.h). That nothing differs holds under
// the premises of the comparison, which are to be proved.
#pragma once
#include "accel/lanes/same_value.h"

#include <optional>
#include <string>

namespace atl::accel {

// What differs, or nothing.
std::optional<std::string> mapping_differs(const lowering::For &loop, const lowering::LaneCode &code,
                                           const LoopSurroundings &around);

// The same of a reduction that an instruction does for all lanes together.
std::optional<std::string> total_differs(const lowering::For &loop, const LoopSurroundings &around);

} // namespace atl::accel
