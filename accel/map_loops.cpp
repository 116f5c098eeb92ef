#include "accel/map_loops.h"

#include "accel/blocks/map_blocks.h"
#include "accel/lanes/map_lanes.h"
#include "atl/base/check.h"
#include "lowering/verify/instructions.h"

namespace atl::accel {

Result<lowering::LoopKernel> map_loops(lowering::LoopKernel kernel, const Target &target) {
  ATL_CHECK(kernel.requests.has_value(), "nothing asked for a mapping of " + kernel.name);
  const Requests &wanted = *kernel.requests;
  const Hardware &hardware = *target.hardware;
  if (hardware.has_rows() && !wanted.last.empty())
    return Diagnostic{
        Code::no_instruction, wanted.last[0].span, wanted.hardware + " has no instructions for lanes", {}};
  if (!hardware.has_rows() && !wanted.prefetches.empty() && hardware.prefetch.empty())
    return Diagnostic{Code::no_instruction,
                      wanted.prefetches[0].span,
                      wanted.hardware + " has no instruction that prefetches",
                      {}};
  auto mapped =
      hardware.has_rows() ? map_blocks(std::move(kernel), target) : map_lanes(std::move(kernel), target);
  if (!mapped)
    return mapped;
  for (Obligation &o : lowering::verify_instructions(*mapped))
    mapped->obligations.push_back(std::move(o));
  return mapped;
}

} // namespace atl::accel
