#include "driver/commands/report.h"

#include "atl/base/printable.h"
#include "driver/console.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

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

} // namespace atl::driver
