#include "driver/commands/commands.h"

#include "atl/base/spelling.h"
#include "atl/schedule/steps/table.h"
#include "driver/commands/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl::driver {

static Diagnostic unknown_step(const std::string &name) {
  std::vector<std::string_view> names;
  for (const schedule::StepRow &step : schedule::all_steps())
    names.push_back(step.signature.name);
  const std::string question = did_you_mean(name, names);
  return {Code::bad_argument,
          std::nullopt,
          fmt::format("there is no step {}", name),
          {{std::nullopt, question.empty() ? "`atlc steps` lists all steps" : question}}};
}

int steps_command(const StepsOptions &options) {
  nlohmann::ordered_json chosen = nlohmann::ordered_json::array();
  for (const schedule::StepRow &step : schedule::all_steps()) {
    if (!options.name.empty() && step.signature.name != options.name)
      continue;
    chosen.push_back({{"name", step.signature.name}, {"usage", step.usage}, {"summary", step.summary}});
    if (!options.json)
      fmt::print("{}\n    {}\n", step.usage, step.summary);
  }
  if (chosen.empty())
    return fail(unknown_step(options.name));
  if (options.json)
    fmt::print("{}\n", chosen.dump());
  return exit_fine;
}

} // namespace atl::driver
