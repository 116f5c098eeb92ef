#include "driver/strategies.h"

#include "atl/schedule/text/expand.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace atl::driver {

namespace {

// What a definition is called in its file, and in the program.
using Names = std::map<std::string, std::string>;

// strategies.atl, or those beside a description, gemmini_strategies.atl.
bool has_strategies(const std::string &file) {
  return file == "strategies.atl" || file.ends_with("_strategies.atl");
}

Names names_of_strategies(const Program &program, const Sources &sources) {
  Names names;
  for (const StepDefinition &step : program.steps)
    if (has_strategies(std::filesystem::path(sources.at(step.span.file).name).filename()))
      names.emplace(sources.text(step.span), step.name);
  return names;
}

std::vector<Step> renamed(std::vector<Step> steps, const Names &names) {
  for (Step &step : steps) {
    if (const auto name = names.find(step.name); is_use(step) && name != names.end())
      step.name = name->second;
    step.block = renamed(std::move(step.block), names);
  }
  return steps;
}

// For who wants to know which names are taken.
Kernel as_written(const TypedKernel &now) {
  Kernel kernel{now.name, now.span, now.params, now.outputs, now.where, nullptr};
  std::vector<ExprPtr> all = now.results;
  for (const Binding &let : now.lets) {
    all.push_back(let.value);
    kernel.params.push_back({Param::Kind::tensor, let.name, now.span, *let.value->type});
  }
  kernel.body = make(Tuple{std::move(all)}, now.span);
  return kernel;
}

} // namespace

bool is_auto(const Step &step) {
  return step.name == "auto" && !is_use(step);
}

bool uses_auto(const std::vector<Step> &steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step &step) { return is_auto(step) || uses_auto(step.block); });
}

Expand strategies_of(const Program &program, const Sources &sources,
                     const schedule::Definitions &definitions) {
  Names names = names_of_strategies(program, sources);
  if (names.empty())
    return nullptr;
  return [&definitions, names = std::move(names)](const std::vector<Step> &uses, const TypedKernel &now) {
    const Schedule schedule{"auto", now.span, {}, {}, renamed(uses, names)};
    return expand(schedule, definitions, as_written(now));
  };
}

} // namespace atl::driver
