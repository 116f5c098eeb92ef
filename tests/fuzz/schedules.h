// Random schedules for a kernel: steps drawn from what the program offers as it stands after each.
#pragma once
#include "fuzz/random.h"

#include "atl/schedule/run.h"
#include "atl/syntax/program.h"

namespace atl::fuzz {

struct DrawnSchedule {
  std::string text; // of all steps that were applied
  std::vector<Step> steps;
  std::size_t refused = 0; // steps drawn, but not applicable
};

DrawnSchedule draw_schedule(const TypedKernel &algorithm, Random &random, const schedule::Judge &judge);

} // namespace atl::fuzz
