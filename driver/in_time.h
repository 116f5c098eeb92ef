// A stage within the time that --timeout gives it.
#pragma once
#include "atl/base/deadline.h"
#include "atl/base/result.h"

#include <fmt/format.h>

#include <string>

namespace atl::driver {

// Runs the work; what to tell the user if it did not end in time. What it began is then to be left aside.
// `what`: a noun, as in "lowering blur did not end within the 10 ms of --timeout".
template <class Work>
std::optional<Diagnostic> in_time(std::optional<unsigned> milliseconds, const std::string &what,
                                  std::optional<Span> span, Work work) {
  try {
    const TimeLimit limit(milliseconds);
    work();
    return std::nullopt;
  } catch (const TimeIsUp &) {
    return Diagnostic{Code::time_is_up,
                      span,
                      fmt::format("{} did not end within the {} ms of --timeout", what, *milliseconds),
                      {}};
  }
}

} // namespace atl::driver
