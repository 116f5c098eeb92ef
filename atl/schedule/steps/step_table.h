// The steps: one row each. The runner, the messages and docs/schedules.md follow from the table.
#pragma once
#include "atl/schedule/steps/arguments.h"

#include <span>

namespace atl::schedule {

struct StepInfo {
  std::string_view name, usage, summary;
  // Reads its items, and changes the work; what is wrong is told to the reader.
  void (*apply)(Arguments &, rewrites::Work &);
};

std::span<const StepInfo> all_steps();
const StepInfo *find_step(std::string_view name);

} // namespace atl::schedule
