// A schedule looked at step by step.
#pragma once
#include "driver/pipeline.h"

#include <optional>
#include <string>

namespace atl::driver {

// The lines of both texts: common ones behind two spaces, the others behind "- " (before) or "+ " (after).
std::string line_diff(const std::string &before, const std::string &after);

// The program after `step` steps (all of them by default; 0: the algorithm), or what the last of them
// changed. A diagnostic if there are fewer steps.
Result<std::string> view_step(const Compiled &kernel, std::optional<std::size_t> step, bool diff);

} // namespace atl::driver
