// A kernel in several versions, each for the sizes that satisfy its condition: one loop nest that chooses.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"
#include "padtypes/padtypes.h"

namespace atl::lowering {

struct Version {
  Pred when; // over the sizes; assumed in `checked`
  padtypes::CheckedKernel checked;
};

// What the names of temporaries of a version end with, but for those of the first, which is number 0.
std::string suffix_of_version(std::size_t number);

// The first version whose condition holds runs; the last one's condition is true. All have the same
// parameters. `assumptions` are those of the kernel, without the conditions.
Result<LoopKernel> lower(const std::vector<Version> &versions, const std::vector<Pred> &assumptions);

Result<LoopKernel> lower(const padtypes::CheckedKernel &checked); // a single version

// Of the body of a kernel in several versions: when each of them runs, given that none before it does; the
// last condition is true. Empty for other bodies.
std::vector<Pred> conditions_in_order(const Block &body);

} // namespace atl::lowering
