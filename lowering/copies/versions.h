// A kernel in several versions, each for the sizes that satisfy its condition: one loop nest that chooses.
// Comes in: a NormalKernel for each version, with its condition. Goes out: one loop nest, with the
// obligations about its memory. May use: all of lowering, and what is above it.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/hardware.h"
#include "atl/syntax/requests.h"
#include "lowering/nest/loop_ir.h"
#include "lowering/normal/normal_form.h"

namespace atl::lowering {

struct Version {
  Pred when; // over the sizes; assumed in `normal`
  NormalKernel normal;
  std::optional<Requests> requests = {};
};

// What the names of temporaries of a version end with, but for those of the first, which is number 0.
std::string suffix_of_version(std::size_t number);

// The first version whose condition holds runs; the last one's condition is true. All have the same
// parameters. `assumptions` are those of the kernel, without the conditions; `hardware` is what the requests
// are made to.
Result<LoopKernel> lower(const std::vector<Version> &versions, const std::vector<Pred> &assumptions,
                         const Hardware *hardware = nullptr);

Result<LoopKernel> lower(const padtypes::CheckedKernel &checked); // a single version

} // namespace atl::lowering
