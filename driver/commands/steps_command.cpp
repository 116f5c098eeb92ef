#include "driver/commands/commands.h"

#include "atl/schedule/steps/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl::driver {

int steps_command(const StepsOptions &options) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const schedule::StepRow &step : schedule::all_steps()) {
    all.push_back({{"name", step.signature.name}, {"usage", step.usage}, {"summary", step.summary}});
    if (!options.json)
      fmt::print("{}\n    {}\n", step.usage, step.summary);
  }
  if (options.json)
    fmt::print("{}\n", all.dump());
  return exit_fine;
}

} // namespace atl::driver
