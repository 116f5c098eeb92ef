#include "atl/base/printable.h"
#include "atl/syntax/print.h"
#include "atl/syntax/print_schedule.h"
#include "cbackend/host/machine.h"
#include "cbackend/host/native.h"
#include "driver/automatic_text.h"
#include "driver/commands/commands.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/console.h"
#include "driver/io/files.h"
#include "driver/tune/report.h"
#include "driver/tune/sizes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;

Diagnostic wrong(std::string message, const std::string &note = "") {
  Diagnostic problem{Code::bad_argument, std::nullopt, std::move(message), {}};
  if (!note.empty())
    problem.notes.push_back({std::nullopt, note});
  return problem;
}

// Of the schedules that may be meant, the first one that this CPU can run: libraries ask in this order.
Result<const Compiled *> base_of(const std::vector<const Compiled *> &versions) {
  for (const Compiled *version : versions)
    if (version->name != versions[0]->name)
      return wrong(fmt::format("there are several kernels, {} and {} among them; choose one with -k",
                               versions[0]->name, version->name));
  for (const Compiled *version : versions) {
    if (version->schedule.empty())
      return wrong("a kernel as it is written has nothing to tune",
                   "-s names a schedule, --for has atlc make one");
    const auto runs =
        version->loops->hardware ? cbackend::runs_here(*version->loops->hardware) : Result<bool>(true);
    if (!runs)
      return runs.errors();
    if (*runs)
      return version;
  }
  return wrong("this CPU, or the C compiler, has not the instructions of the schedule",
               "a schedule is tuned where it is to run");
}

// Unlike any that the program has for the kernel.
std::string new_name(const Program &program, const std::string &kernel) {
  std::string name = "tuned";
  const Kernel &found = *std::find_if(program.kernels.begin(), program.kernels.end(),
                                      [&](const Kernel &k) { return k.name == kernel; });
  for (int i = 2; has_schedule(program, found, name); ++i)
    name = fmt::format("tuned{}", i);
  return name;
}

// What the schedule needs that the file itself does not import.
std::string imports_for(const Compiled &base, const std::string &file) {
  std::vector<std::string> needed;
  if (!base.chosen.empty())
    needed.emplace_back("strategies.atl");
  if (base.loops->hardware)
    needed.push_back(base.loops->hardware->name + ".atl");
  std::string text;
  for (const std::string &name : needed)
    if (file.find("\"" + name + "\"") == std::string::npos)
      text += fmt::format("import \"{}\";\n", name);
  return text;
}

nlohmann::ordered_json about(const Subject &subject) {
  const Schedule &schedule = schedule_of(subject.base, *subject.c.program);
  return {{"kernel", subject.written.name},
          {"algorithm", print(subject.written.algorithm)},
          {"schedule", print(without_auto(schedule.steps, subject.base.chosen))},
          {"cpu", cbackend::cpu_model()},
          {"compiler", cbackend::compiler_version()}};
}

Choice choice_for(const TuneOptions &options) {
  ProgramOptions any = options;
  if (options.schedule.empty() && options.hardware.empty())
    any.hardware = all_hardware;
  return choice_of(any, options.kernel.empty() ? std::vector<std::string>() : std::vector{options.kernel},
                   options.schedule);
}

// What can be said before there is any work done.
std::optional<Diagnostic> wrong_option(const TuneOptions &options) {
  if (!(options.budget > 0))
    return wrong("in a budget of 0 seconds nothing can be measured", "--budget 60 is a minute for all sizes");
  for (const std::string &file : {options.log, options.svg}) {
    const fs::path folder = fs::path(file).parent_path();
    std::error_code ignored;
    if (!folder.empty() && !fs::is_directory(folder, ignored))
      return Diagnostic{Code::cannot_write,
                        std::nullopt,
                        fmt::format("cannot write {}: there is no folder {}", file, folder.string()),
                        {}};
  }
  return std::nullopt;
}

using Clock = std::chrono::steady_clock;

// The sizes one after the other, each with its part of the time.
Result<std::vector<Tuned>> tune_all(const Subject &subject, const std::vector<Inputs> &inputs,
                                    const TuneOptions &options, Log &log, proofs::Prover &prover) {
  const cbackend::EndsEarly early;
  const auto part = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(options.budget / static_cast<double>(inputs.size())));
  std::vector<Tuned> all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string place = inputs.size() == 1 ? "" : fmt::format("{} of {}: ", i + 1, inputs.size());
    auto tuned =
        tune(subject, inputs[i], {Clock::now() + part, options.candidates}, log, early, place, prover);
    if (!tuned)
      return tuned.errors();
    all.push_back(std::move(*tuned));
  }
  return all;
}

// The text that was found is a program like any other, and compiled as such.
std::optional<int> refused(const TuneOptions &options, const std::string &text, const Subject &subject,
                           proofs::Prover &prover) {
  Choice choice{{subject.written.name}, subject.name};
  const Compilation c = compile_again(subject.c, options.file, text, prover, choice);
  print_diagnostics(c.diagnostics, c.sources);
  return c.ok() ? std::nullopt : std::optional(exit_wrong);
}

void tell(const std::vector<Tuned> &all, const std::string &base) {
  if (is_quiet())
    return;
  for (const Tuned &one : all)
    fmt::print(stderr, "{}{}{} schedules tried, {} of them refused; {:.2f} times as fast as {}\n",
               in_words(one.sizes), one.sizes.empty() ? "" : ": ", one.candidates, one.refused,
               one.base_seconds / one.best_seconds, base);
}

nlohmann::ordered_json to_json(const std::vector<Tuned> &all, const Subject &subject,
                               const std::string &text) {
  nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
  for (const Tuned &one : all)
    sizes.push_back(to_json(one));
  return {{"ok", true},
          {"kernel", subject.written.name},
          {"before", subject.base.schedule},
          {"schedule", subject.name},
          {"text", text},
          {"tuned", sizes}};
}

} // namespace

int tune_command(const TuneOptions &options) {
  if (auto problem = wrong_option(options))
    return fail(*problem);
  proofs::Prover prover(options.timeout_ms);
  const auto [c, versions, exit_code] = select_kernels(options.file, choice_for(options), options, prover);
  if (exit_code != exit_fine)
    return exit_code;
  const auto base = base_of(versions);
  if (!base)
    return fail(base.errors()[0]);
  const auto written =
      std::find_if(c.kernels.begin(), c.kernels.end(), [&, base = *base](const Compiled &kernel) {
        return kernel.name == base->name && kernel.schedule.empty();
      });
  const Subject subject{c, *written, **base, new_name(*c.program, (*base)->name)};
  const auto inputs = drawn_for_all(options.sizes, subject.written.algorithm);
  if (!inputs)
    return fail(inputs.errors()[0]);
  auto log = Log::open(options.log, about(subject));
  if (!log)
    return fail(log.errors()[0]);
  const auto all = tune_all(subject, *inputs, options, *log, prover);
  if (!all)
    return fail(all.errors()[0]);
  const std::string imports = imports_for(subject.base, own_text(c));
  const std::string text =
      imports + header_of(*all, subject.base.schedule) + print(schedule_with(subject, joined(*all)));
  if (auto code = refused(options, text, subject, prover))
    return *code;
  if (!options.svg.empty())
    if (auto problem = write_file(options.svg, picture(*all, log->trials())))
      return fail(*problem);
  tell(*all, subject.base.schedule);
  if (options.json)
    fmt::print("{}\n", to_json(*all, subject, text).dump());
  else
    fmt::print("{}", text);
  return exit_fine;
}

} // namespace atl::driver
