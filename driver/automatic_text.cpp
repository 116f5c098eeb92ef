#include "driver/automatic_text.h"

#include "atl/syntax/print_schedule.h"
#include "driver/io/shared_files.h"
#include "driver/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;

// A file that comes with atlc, whatever else has its name; nothing if the program imports one of that name.
std::string import_shared(const std::string &file, const Sources &sources) {
  for (std::uint32_t i = 1; i < sources.size(); ++i)
    if (fs::path(sources.at(i).name).filename() == file)
      return "";
  return fmt::format("import \"{}\";\n", (shared_files() / file).string());
}

std::string indented(std::size_t indent, const std::string &text) {
  return std::string(indent, ' ') + text + "\n";
}

// What is written of the steps `auto` of a schedule.
struct Explained {
  const Compiled &compiled;
  bool with_estimates;

  std::string steps_for(Span automatic, std::size_t indent) const {
    std::string text;
    for (const schedule::Chosen &chosen : compiled.chosen) {
      if (chosen.span.file != automatic.file || chosen.span.begin != automatic.begin)
        continue;
      const schedule::Candidate *taken = chosen.taken();
      text +=
          indented(indent, fmt::format("// {}: {}", chosen.decision.tensor,
                                       taken ? taken->reason : "as it is, as nothing that was tried fits"));
      if (taken && with_estimates && !taken->estimate.empty())
        text += indented(indent, "// " + taken->estimate);
      if (taken)
        text += print(taken->steps, static_cast<int>(indent));
    }
    return text.empty() ? indented(indent, "// nothing: no strategy is for loops such as these") : text;
  }

  std::string steps_of(const std::vector<Step> &steps, std::size_t indent) const {
    std::string text;
    for (const Step &step : steps)
      if (is_auto(step))
        text += steps_for(step.span, indent);
      else if (uses_auto(step.block))
        text += indented(indent, to_string(step) + " {") + steps_of(step.block, indent + 2) +
                indented(indent, "}");
      else
        text += print({step}, static_cast<int>(indent));
    return text;
  }

  std::string costs() const {
    const auto &hardware = compiled.loops->hardware;
    if (!with_estimates || !hardware)
      return "";
    std::string text;
    std::string_view unit;
    for (const CostInfo &info : all_costs) {
      text +=
          info.unit == unit ? ", " : fmt::format("{} in {}: ", unit.empty() ? "// costs" : ";", info.unit);
      text += fmt::format("{} {}{}", info.name, hardware->cost(info.name),
                          hardware->costs.contains(std::string(info.name)) ? "" : " by default");
      unit = info.unit;
    }
    return indented(2, text);
  }
};

} // namespace

std::vector<std::string> hardware_named(const std::string &list) {
  if (list == all_hardware)
    return {"avx512_vnni", "avx512", "avx2", "neon", portable_hardware};
  if (list == "none")
    return {};
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(name);
  return names;
}

Diagnostic unknown_hardware(const std::string &name, const Diagnostic &not_found) {
  return {Code::bad_argument, std::nullopt,
          fmt::format("there is no description of {}: {}", name, not_found.message), not_found.notes};
}

std::string automatic_schedule(const std::string &hardware) {
  return hardware == portable_hardware ? "auto" : "auto_" + hardware;
}

std::string automatic_schedules(const std::string &list) {
  std::string all;
  for (const std::string &hardware : hardware_named(list))
    all += (all.empty() ? "" : ",") + automatic_schedule(hardware);
  return all;
}

bool has_schedule(const Program &program, const Kernel &kernel, const std::string &name) {
  return std::any_of(program.schedules.begin(), program.schedules.end(), [&](const Schedule &schedule) {
    return (name.empty() || schedule.name == name) &&
           std::any_of(schedule.kernels.begin(), schedule.kernels.end(),
                       [&](const ScheduleParam &target) { return target.name == kernel.name; });
  });
}

const Schedule &schedule_of(const Compiled &compiled, const Program &program) {
  return *std::find_if(program.schedules.begin(), program.schedules.end(), [&](const Schedule &schedule) {
    return schedule.name == compiled.schedule &&
           std::any_of(schedule.kernels.begin(), schedule.kernels.end(),
                       [&](const ScheduleParam &kernel) { return kernel.name == compiled.name; });
  });
}

std::string automatic_schedules_for(const Sources &sources, const std::vector<const Kernel *> &kernels,
                                    const Program &program, const std::vector<std::string> &hardware,
                                    bool by_default) {
  std::string added = import_shared("strategies.atl", sources);
  for (const std::string &one : hardware) {
    const std::string name = automatic_schedule(one);
    const bool is_portable = one == portable_hardware;
    std::string names;
    for (const Kernel *kernel : kernels)
      if (!has_schedule(program, *kernel, name))
        names += (names.empty() ? "" : ", ") + kernel->name;
    if (!is_portable)
      added += by_default ? import_shared(one + ".atl", sources) : fmt::format("import \"{}.atl\";\n", one);
    if (!names.empty())
      added += fmt::format("schedule {} for {} {{{} auto; }}\n", name, names,
                           is_portable ? "" : fmt::format(" map all with {};", one));
  }
  return added;
}

std::vector<Step> without_auto(const std::vector<Step> &steps, const std::vector<schedule::Chosen> &chosen) {
  std::vector<Step> all;
  for (const Step &step : steps) {
    if (!is_auto(step)) {
      all.push_back(step);
      all.back().block = without_auto(step.block, chosen);
      continue;
    }
    for (const schedule::Chosen &one : chosen)
      if (one.taken() && one.span.file == step.span.file && one.span.begin == step.span.begin)
        all.insert(all.end(), one.taken()->steps.begin(), one.taken()->steps.end());
  }
  return all;
}

std::string print_automatic(const Schedule &schedule, const Compiled &compiled, bool with_estimates) {
  const Explained explained{compiled, with_estimates};
  return fmt::format("schedule {} for {} {{\n{}{}}}\n", schedule.name, compiled.name, explained.costs(),
                     explained.steps_of(schedule.steps, 2));
}

} // namespace atl::driver
