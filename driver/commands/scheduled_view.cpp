#include "driver/commands/scheduled_view.h"

#include "atl/base/source.h"
#include "atl/syntax/print.h"
#include "atl/syntax/print_schedule.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::driver {

namespace {

std::string print_versions(const Compiled &kernel) {
  std::string text;
  for (const schedule::Version &version : kernel.versions) {
    if (kernel.versions.size() > 1)
      text +=
          version.when->op == PredOp::truth ? "// otherwise\n" : "// when " + to_string(version.when) + "\n";
    text += print(schedule::State{version.kernel, version.requests});
  }
  return text;
}

} // namespace

std::string line_diff(const std::string &before, const std::string &after) {
  std::vector<std::string> a = lines_of(before), b = lines_of(after);
  // common[i][j]: the most lines that a from i on and b from j on have in common, in order
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::string text;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      text += "  " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += "- " + a[i++] + "\n";
    } else {
      text += "+ " + b[j++] + "\n";
    }
  }
  return text;
}

Result<std::string> view_step(const Compiled &kernel, std::optional<std::size_t> step, bool diff) {
  std::size_t last = step.value_or(kernel.steps.size());
  if (last > kernel.steps.size())
    return Diagnostic{Code::bad_argument,
                      std::nullopt,
                      fmt::format("there is no step {}", last),
                      {{std::nullopt, fmt::format("{} under {} got through {} steps", kernel.name,
                                                  kernel.schedule, kernel.steps.size())}}};
  if (!step && !diff && !kernel.versions.empty())
    return print_versions(kernel);
  if (last == 0)
    return print(kernel.algorithm);
  const schedule::Done &done = kernel.steps[last - 1];
  if (!diff)
    return print(done.after);
  return "// " + to_string(done.step) + "\n" + line_diff(print(done.before), print(done.after));
}

} // namespace atl::driver
