// The steps, by family; each family is a file that has the functions of its steps, and their rows.
#pragma once
#include "atl/schedule/steps/row.h"

namespace atl::schedule {

// Those that the runner looks for.
inline constexpr std::string_view map_all_usage = "map all with HARDWARE",
                                  within_usage = "within TENSOR { ... }", auto_usage = "auto";

StepRows loop_steps();     // loops.cpp: how loops are divided, ordered and run
StepRows tensor_steps();   // tensors.cpp: where temporaries are computed, and in which layout
StepRows sum_steps();      // sums.cpp: reductions
StepRows size_steps();     // sizes.cpp: what is known of sizes
StepRows guard_steps();    // guards.cpp: small rules on guards, ranges and padding
StepRows hardware_steps(); // hardware.cpp: instructions and memories

} // namespace atl::schedule
