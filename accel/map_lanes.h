// One vectorized loop, mapped to the instructions of a hardware description.
#pragma once
#include "accel/map_loops.h"
#include "accel/surroundings.h"

#include <map>

namespace atl::accel {

struct MappedLanes {
  std::shared_ptr<const lowering::LaneCode> code;   // nothing if there are errors, as
  std::shared_ptr<const lowering::LaneTotal> total; // of a reduction
  Diagnostics errors;
  std::vector<Obligation> obligations;         // the conditions of the instructions
  std::map<std::string, std::int64_t> aligned; // tensors that have to begin at a multiple of so many bytes
};
MappedLanes map_lanes(const lowering::LoopKernel &kernel, const Target &target,
                      const std::map<std::string, lowering::Buffer> &buffers, const Surroundings &place,
                      const lowering::For &loop);
// The same for a reduction, whose iterations are lanes that the instruction asked for combines.
MappedLanes map_total(const lowering::LoopKernel &kernel, const Target &target,
                      const std::map<std::string, lowering::Buffer> &buffers, const Surroundings &place,
                      const lowering::For &loop);

} // namespace atl::accel
