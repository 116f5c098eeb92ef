#include "atl/schedule/text/check_schedules.h"

#include "atl/parse/call_graph.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"

#include <fmt/format.h>
#include <functional>

namespace atl {

namespace {

using parse::DefinitionSize, parse::Reporter, schedule::Definitions;

void for_each_use(const std::vector<Step> &steps, const std::function<void(const Step &)> &visit) {
  for (const Step &step : steps) {
    if (is_use(step))
      visit(step);
    for_each_use(step.block, visit);
    for_each_use(step.otherwise, visit);
  }
}

void report_all(const Diagnostics &errors, Reporter &reporter) {
  for (const Diagnostic &error : errors)
    reporter.add(error);
}

// Uses of what does not exist, or with other arguments, also in branches that are never taken.
void check_uses(const Program &program, const Definitions &definitions, Reporter &reporter) {
  for (const StepDefinition &definition : program.steps)
    for_each_use(definition.body, [&](const Step &use) {
      if (auto body = definitions.resolve(use, ""); !body)
        report_all(body.errors(), reporter);
    });
  for (const Schedule &schedule : program.schedules)
    for_each_use(schedule.steps, [&](const Step &use) {
      for (const ScheduleParam &kernel : schedule.kernels)
        if (auto body = definitions.resolve(use, kernel.name); !body)
          return report_all(body.errors(), reporter);
    });
}

// Nothing refers to itself. Sizes are limited where a schedule is expanded.
void check_recursion(const Program &program, Reporter &reporter) {
  std::vector<DefinitionSize> graph;
  for (const StepDefinition &definition : program.steps) {
    graph.push_back({definition.name, definition.span, 0, 0, {}});
    for_each_use(definition.body, [&](const Step &use) {
      graph.back().calls.push_back({use.name, use.span});
    });
  }
  for (const Schedule &schedule : program.schedules)
    for (const ScheduleParam &kernel : schedule.kernels) {
      graph.push_back({fmt::format("{} for {}", schedule.name, kernel.name), schedule.span, 0, 0, {}});
      for_each_use(schedule.steps, [&](const Step &use) {
        graph.back().calls.push_back({fmt::format("{} for {}", use.name, kernel.name), use.span});
      });
    }
  parse::check_calls(graph, reporter);
}

} // namespace

// One kernel after the other; a program with mistakes in its definitions is not expanded.
Diagnostics check_schedules(const Program &program) {
  Reporter reporter;
  Definitions definitions(program);
  check_recursion(program, reporter);
  check_uses(program, definitions, reporter);
  if (reporter.has_errors())
    return reporter.take();
  std::map<std::string_view, const Kernel *> kernels;
  for (const Kernel &kernel : program.kernels)
    kernels.emplace(kernel.name, &kernel);
  for (const Schedule &schedule : program.schedules)
    for (const ScheduleParam &name : schedule.kernels) {
      auto kernel = kernels.find(name.name);
      if (kernel == kernels.end() || !schedule.params.empty() || reporter.is_full())
        continue;
      if (auto steps = expand(schedule, definitions, *kernel->second); !steps)
        report_all(steps.errors(), reporter);
    }
  return reporter.take();
}

} // namespace atl
