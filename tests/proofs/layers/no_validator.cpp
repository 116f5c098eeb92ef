// Linked before the library of accel/, whose definitions of the same functions are left out then: nobody
// looks at what the instructions of lanes compute. What blocks of rows compute is an obligation.
#include "accel/lanes/validate.h"

namespace atl::accel {

std::optional<std::string> mapping_differs(const lowering::For &, const lowering::LaneCode &,
                                           const LoopSurroundings &) {
  return std::nullopt;
}

std::optional<std::string> total_differs(const lowering::For &, const LoopSurroundings &) {
  return std::nullopt;
}

} // namespace atl::accel
