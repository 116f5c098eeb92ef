// One vectorized loop, or a reduction whose iterations are lanes, and a description of hardware -> the
// instructions that run it, or why there are none.
#pragma once
#include "accel/describe/target.h"
#include "accel/lanes/register_reads.h"
#include "lowering/nest/walk.h"

namespace atl::accel {

struct MappedLoop {
  std::shared_ptr<const lowering::LaneCode> code;   // of a vectorized loop
  std::shared_ptr<const lowering::LaneTotal> total; // of a reduction; neither if there are errors
  Diagnostics errors;
  std::map<std::string, std::int64_t> aligned; // tensors that have to begin at a multiple of so many bytes
};
MappedLoop map_loop(const lowering::LoopKernel &kernel, const Target &target,
                    const std::map<std::string, lowering::Buffer> &buffers,
                    const std::map<std::string, RegisterReads> &reads, const Known &around,
                    const lowering::For &loop);

} // namespace atl::accel
