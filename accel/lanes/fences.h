// Instructions on lanes that store past the caches: other threads see what they stored only behind a fence.
#pragma once
#include "lowering/nest/loop_ir.h"

namespace atl::accel {

// A fence before each loop that gets threads, and where the iterations of these end.
void insert_lane_fences(lowering::LoopKernel &kernel);

} // namespace atl::accel
