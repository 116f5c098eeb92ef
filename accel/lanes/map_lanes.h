// One vectorized loop, or a reduction whose iterations are lanes, mapped to the instructions of a hardware
// description.
#pragma once
#include "accel/describe/target.h"
#include "lowering/nest/loop_ir.h"
#include "lowering/nest/walk.h"

#include <map>

namespace atl::accel {

struct MappedLanes {
  std::shared_ptr<const lowering::LaneCode> code;   // of a vectorized loop
  std::shared_ptr<const lowering::LaneTotal> total; // of a reduction; neither if there are errors
  Diagnostics errors;
  std::vector<Obligation> obligations;         // the conditions of the instructions
  std::map<std::string, std::int64_t> aligned; // tensors that have to begin at a multiple of so many bytes
};
MappedLanes map_lanes(const lowering::LoopKernel &kernel, const Target &target,
                      const std::map<std::string, lowering::Buffer> &buffers,
                      const lowering::Surroundings &place, const lowering::For &loop);

} // namespace atl::accel
