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

// The same; false if it did not end in time, which is then among the diagnostics.
template <class Work>
bool does_in_time(std::optional<unsigned> milliseconds, const std::string &what, std::optional<Span> span,
                  Diagnostics &diagnostics, Work work) {
  auto late = in_time(milliseconds, what, span, work);
  if (late)
    diagnostics.push_back(std::move(*late));
  return !late;
}

} // namespace atl::driver
