#include "driver/commands/report.h"

#include "atl/base/printable.h"
#include "driver/automatic_text.h"
#include "driver/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>

namespace atl::driver {

using json = nlohmann::ordered_json;

void print_diagnostics(const Diagnostics &diagnostics, const Sources &sources) {
  for (const Diagnostic &d : diagnostics)
    fmt::print(stderr, "{}", render(d, sources, message_style()));
}

int fail(const Diagnostic &diagnostic) {
  print_diagnostics({diagnostic}, Sources());
  return diagnostic.code == Code::bad_argument ? exit_usage : exit_wrong;
}

std::vector<proofs::ObligationRow> rows_of(const Compiled &kernel, const Sources &sources) {
  std::vector<Obligation> obligations;
  for (const Decided &d : kernel.decided)
    obligations.push_back(d.obligation);
  std::vector<std::string> ids = proofs::obligation_ids(obligations);
  std::vector<proofs::ObligationRow> rows;
  for (std::size_t i = 0; i < ids.size(); ++i)
    rows.push_back(proofs::make_row(ids[i], obligations[i], kernel.decided[i].verdict, sources));
  return rows;
}

json to_json(const Compiled &kernel, const std::vector<proofs::ObligationRow> &rows) {
  json obligations = json::array();
  for (const proofs::ObligationRow &row : rows)
    obligations.push_back(proofs::to_json(row));
  json schedule = kernel.schedule.empty() ? json() : json(kernel.schedule);
  json example = json::object();
  for (const std::string &size : kernel.algorithm.size_names())
    if (auto value = kernel.example.find(size); value != kernel.example.end())
      example[size] = value->second;
  return {{"name", kernel.name},
          {"schedule", schedule},
          {"example", example},
          {"laws", kernel.laws},
          {"obligations", obligations}};
}

// Lines and columns count from 1; the end is behind the last character.
static json span_as_json(Span span, const Sources &sources) {
  const LineColumn begin = sources.locate(span.file, span.begin), end = sources.locate(span.file, span.end);
  return {{"file", printable_name(sources.at(span.file).name)},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

static json fix_as_json(const Fix &fix, const Sources &sources) {
  json edits = json::array();
  for (const Edit &edit : fix.edits) {
    json place = span_as_json(edit.span, sources);
    place["text"] = printable(edit.text);
    edits.push_back(std::move(place));
  }
  return {{"text", readable(fix.sentence)}, {"edits", edits}};
}

static json diagnostic_as_json(const Diagnostic &d, const Sources &sources) {
  json notes = json::array();
  for (const Note &note : d.notes)
    notes.push_back({{"where", note.span ? sources.where(*note.span) : ""},
                     {"span", note.span ? span_as_json(*note.span, sources) : json()},
                     {"text", readable(note.text)}});
  json fixes = json::array();
  for (const Fix &fix : d.fixes)
    fixes.push_back(fix_as_json(fix, sources));
  return {{"code", code_name(d.code)},
          {"severity", "error"},
          {"where", d.span ? sources.where(*d.span) : ""},
          {"span", d.span ? span_as_json(*d.span, sources) : json()},
          {"message", readable(d.message)},
          {"notes", notes},
          {"fixes", fixes}};
}

json to_json(const Diagnostics &diagnostics, const Sources &sources) {
  json all = json::array();
  for (const Diagnostic &d : diagnostics)
    all.push_back(diagnostic_as_json(d, sources));
  return all;
}

json to_json(const Compilation &c, const std::string &file) {
  json functions = json::array(), kernels = json::array();
  for (const Compiled &function : c.functions)
    functions.push_back(to_json(function, rows_of(function, c.sources)));
  for (const Compiled &kernel : c.kernels)
    kernels.push_back(to_json(kernel, rows_of(kernel, c.sources)));
  return {{"file", printable(file)}, {"ok", c.ok()},
          {"ms", c.total_ms},        {"functions", functions},
          {"kernels", kernels},      {"diagnostics", to_json(c.diagnostics, c.sources)}};
}

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
  return choice;
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
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [&](const Compiled *kernel) { return kernel->schedule == (name == "none" ? "" : name); });
    if (chosen.size() == before)
      return unknown_schedule(c, name);
  }
  return chosen;
}

} // namespace atl::driver
