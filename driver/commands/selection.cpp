#include "driver/commands/selection.h"

#include "driver/automatic_text.h"
#include "driver/commands/report.h"
#include "driver/functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace atl::driver {

Diagnostic unknown_kernel(const std::string &name, const std::string &file,
                          const std::vector<std::string> &available) {
  return {
      Code::bad_argument,
      std::nullopt,
      fmt::format("there is no kernel {} in {}", name, file),
      {{std::nullopt, available.empty() ? "the file defines no kernel"
                                        : fmt::format("its kernels are {}", fmt::join(available, ", "))}}};
}

static Diagnostic unknown_schedule(const Compilation &c, const std::string &name) {
  std::vector<std::string> available;
  for (const Schedule &schedule : c.program->schedules)
    for (const ScheduleParam &kernel : schedule.kernels)
      if (schedule.params.empty())
        available.push_back(fmt::format("{} for {}", schedule.name, kernel.name));
  return {
      Code::bad_argument,
      std::nullopt,
      fmt::format("there is no schedule {} for the kernels chosen", name),
      {{std::nullopt, available.empty() ? "the file has no schedules"
                                        : fmt::format("its schedules are {}", fmt::join(available, ", "))}}};
}

// Of its own; imported ones count only by name.
static Diagnostic no_kernel(const Compilation &c) {
  Diagnostic problem{
      Code::bad_argument, std::nullopt, fmt::format("{} defines no kernel", c.sources.at(0).name), {}};
  std::vector<std::string> imported;
  for (const Compiled &kernel : c.kernels)
    if (kernel.schedule.empty())
      imported.push_back(kernel.name);
  if (!imported.empty())
    problem.notes.push_back(
        {std::nullopt, fmt::format("it imports {}; -k chooses one", fmt::join(imported, ", "))});
  return problem;
}

Choice choice_of(const ProgramOptions &options, const std::vector<std::string> &kernels,
                 const std::string &schedule) {
  Choice choice{kernels, schedule.empty() ? automatic_schedules(options.hardware) : schedule};
  choice.hardware = options.hardware;
  for (const std::string &cost : options.costs) // the command line has read them
    choice.costs[cost.substr(0, cost.find('='))] = std::stoll(cost.substr(cost.find('=') + 1));
  return choice;
}

Choice choice_by_default(const ProgramOptions &options, const std::vector<std::string> &kernels,
                         const std::string &schedule) {
  Choice choice = choice_of(options, kernels, schedule);
  choice.by_default = schedule.empty() && options.hardware.empty();
  if (choice.by_default)
    choice.hardware = all_hardware;
  return choice;
}

// A version for some hardware in which nothing was done, and in which C compilers cannot do more than in the
// one for all CPUs: they have the same instructions for both.
static bool is_idle(const Compiled &kernel, const Choice &choice) {
  const std::vector<std::string> hardware = hardware_named(choice.hardware);
  auto asks_for = [&](const std::string &one) { return automatic_schedule(one) == kernel.schedule; };
  return !hardware.empty() && hardware.back() == portable_hardware &&
         std::any_of(hardware.begin(), hardware.end() - 1, asks_for) &&
         (!kernel.loops || !kernel.loops->hardware || kernel.loops->hardware->features.empty()) &&
         std::all_of(kernel.steps.begin(), kernel.steps.end(),
                     [](const schedule::Done &done) { return done.step.name == "map"; });
}

Result<std::vector<const Compiled *>> choose(const Compilation &c, const Choice &choice) {
  std::vector<const Compiled *> all;
  std::vector<std::string> available;
  const std::vector<std::string> &names = choice.kernels;
  for (const Compiled &kernel : c.kernels) {
    bool own = kernel.algorithm.span.file == 0;
    bool left_out = choice.exported && ((kernel.is_private && names.empty()) ||
                                        (kernel.has_private_schedule && choice.schedule.empty()));
    if (own && kernel.schedule.empty())
      available.push_back(kernel.name);
    if (is_idle(kernel, choice) || (kernel.schedule.empty() && is_automatic(kernel.name, c, choice)))
      continue;
    if ((own || !names.empty()) && !left_out && choice.names(kernel.name) && choice.wants(kernel.schedule))
      all.push_back(&kernel);
  }
  for (const std::string &name : names) {
    if (std::any_of(c.kernels.begin(), c.kernels.end(), [&](const Compiled &k) { return k.name == name; }))
      continue;
    for (const Compiled &kernel : c.kernels)
      if (kernel.schedule.empty() && kernel.name.ends_with("." + name)) // of an imported file
        available.push_back(kernel.name);
    return unknown_kernel(name, c.sources.at(0).name, available);
  }
  if (available.empty() && names.empty())
    return no_kernel(c);
  if (all.empty() && choice.exported && names.empty() && choice.schedule.empty())
    return Diagnostic{
        Code::bad_argument,
        std::nullopt,
        fmt::format("{} defines only private kernels; choose one with -k", c.sources.at(0).name),
        {}};
  if (choice.schedule.empty())
    return all;
  std::vector<const Compiled *> chosen;
  std::stringstream schedules(choice.schedule);
  for (std::string name; std::getline(schedules, name, ',');) {
    const std::size_t before = chosen.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const Compiled *kernel) {
      return kernel->schedule == (name == "none" ? "" : name) || is_automatic(kernel->name, c, choice);
    });
    const bool is_added = lists(automatic_schedules(choice.hardware), name); // it may be left out
    if (chosen.size() == before && !is_added)
      return unknown_schedule(c, name);
  }
  return chosen;
}

Selection select_kernels(const std::string &file, const Choice &choice, const ProgramOptions &options,
                         proofs::Prover &prover) {
  Selection selection{compile(file, prover, Until::proved, choice, options.import_folders), {}};
  print_diagnostics(selection.c.diagnostics, selection.c.sources);
  if (!selection.c.ok()) {
    selection.exit_code = exit_wrong;
    return selection;
  }
  if (auto chosen = choose(selection.c, choice); chosen)
    selection.kernels = std::move(*chosen);
  else
    selection.exit_code = fail(chosen.errors()[0]);
  return selection;
}

} // namespace atl::driver
