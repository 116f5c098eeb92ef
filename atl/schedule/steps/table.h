// All steps: where the runner finds what a step is, and from which messages and docs/schedules.md follow.
#pragma once
#include "atl/schedule/steps/row.h"

namespace atl::schedule {

const StepRows &all_steps(); // a step that is written in several ways has several rows

// The row of which a step has the form, and what stands for its parameters.
struct Found {
  const StepRow *row;
  Arguments arguments;
};
Result<Found> find_row(const Step &step);

} // namespace atl::schedule
