#include "atl/schedule/text/definitions.h"

#include "atl/base/check.h"
#include "atl/base/spelling.h"
#include "atl/syntax/tree.h"

#include <fmt/format.h>

namespace atl::schedule {

Definitions::Definitions(const Program &program) {
  for (const Function &function : program.functions)
    function_names_.merge(names_in(function.body));
  for (const StepDefinition &step : program.steps)
    steps_.emplace(step.name, &step);
  for (const Schedule &schedule : program.schedules)
    for (const ScheduleParam &kernel : schedule.kernels)
      schedules_[schedule.name].emplace(kernel.name, &schedule);
}

Diagnostic Definitions::unknown(const Step &use, std::string_view kernel) const {
  auto schedules = schedules_.find(use.name);
  if (schedules != schedules_.end() && kernel.empty())
    return {Code::not_a_schedule,
            use.span,
            fmt::format("'{}' is a schedule; only a schedule can use another one", use.name),
            {}};
  if (schedules != schedules_.end()) {
    const auto &[other, schedule] = *schedules->second.begin();
    return {Code::not_a_schedule,
            use.span,
            fmt::format("'{}' is not a schedule for '{}'", use.name, kernel),
            {{schedule->span, fmt::format("it is one for '{}'", other)}}};
  }
  std::vector<std::string_view> names;
  for (const auto &[name, step] : steps_)
    names.push_back(name);
  for (const auto &[name, of_kernels] : schedules_)
    if (of_kernels.contains(kernel))
      names.push_back(name);
  Diagnostic problem{
      Code::unknown_step,
      use.span,
      fmt::format("no step {}'{}' is defined", kernel.empty() ? "" : "or schedule ", use.name),
      {{std::nullopt, fmt::format("only steps that a program defines are written {}(...)", use.name)}}};
  if (const std::string suggestion = closest_name(use.name, names); !suggestion.empty())
    problem.fixes = {
        {fmt::format("did you mean '{}'?", suggestion),
         {{{use.span.file, use.span.begin, use.span.begin + static_cast<std::uint32_t>(use.name.size())},
           suggestion}}}};
  return problem;
}

std::optional<Body> Definitions::find(std::string_view name, std::string_view kernel) const {
  if (auto step = steps_.find(name); step != steps_.end())
    return Body{&step->second->params, &step->second->body, step->second->span, false};
  auto schedules = schedules_.find(name);
  if (schedules == schedules_.end())
    return std::nullopt;
  auto found = schedules->second.find(kernel);
  if (found == schedules->second.end())
    return std::nullopt;
  const Schedule &schedule = *found->second;
  return Body{&schedule.params, &schedule.steps, schedule.span, true};
}

Result<Body> Definitions::resolve(const Step &use, std::string_view kernel) const {
  std::optional<Body> body = find(use.name, kernel);
  if (!body)
    return unknown(use, kernel);
  std::size_t needed = body->params->size(), given = arguments_of(use).size();
  if (needed != given)
    return Diagnostic{
        Code::wrong_argument_count,
        use.span,
        fmt::format("'{}' takes {} argument{}, not {}", use.name, needed, needed == 1 ? "" : "s", given),
        {{body->name, fmt::format("'{}' is defined here", use.name)}}};
  return *body;
}

} // namespace atl::schedule
