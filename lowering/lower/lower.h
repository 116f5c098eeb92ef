// Lowering by composition of reindexers and simplification under the known ranges.
// Comes in: a NormalKernel. Goes out: a loop nest that is not verified, or errors. May use: atl, padtypes,
// and lowering/nest, requests and normal.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/hardware.h"
#include "atl/syntax/requests.h"
#include "lowering/nest/loop_ir.h"
#include "lowering/normal/normal_form.h"

namespace atl::lowering {

// Without the obligations about the memory, and with loops still to be unrolled. `hardware`: whose memories
// temporaries are kept in; none: there are only registers.
Result<LoopKernel> lower_unverified(const NormalKernel &normal, const Hardware *hardware = nullptr,
                                    const std::optional<Requests> &requests = {});

} // namespace atl::lowering
