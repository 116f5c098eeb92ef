// atlc-bench: prints a table, and writes its rows as JSON and as a picture; or makes the tables and plots of
// the documents from such JSON. docs/benchmarks.md says how to read them.
#include "bench/plot.h"
#include "bench/report.h"
#include "bench/results.h"
#include "driver/io/files.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <set>

namespace atl::bench {

namespace {

using Suite = Rows (*)(const Options &);
const std::map<std::string, Suite> suites{
    {"auto", auto_suite},    {"check", check_suite}, {"conv", conv_suite},        {"coq", coq_suite},
    {"images", image_suite}, {"int8", int8_suite},   {"kernels", kernel_suite},   {"ladders", ladder_suite},
    {"sgemm", sgemm_suite},  {"sweep", sweep_suite}, {"tutorial", tutorial_suite}};
const std::set<std::string> suites_of_examples{"conv", "images", "int8", "sgemm"};
const std::set<std::string> suites_by_case{"auto", "conv", "images", "int8", "sgemm", "sweep", "tutorial"};

struct OutputFiles {
  std::string json, svg; // empty: not written
};

bool write(const std::string &path, const std::string &content) {
  if (std::optional<Diagnostic> problem = driver::write_file(path, content)) {
    fmt::print(stderr, "{}\n", problem->message);
    return false;
  }
  return true;
}

bool write(const Results &results, const OutputFiles &files) {
  return (files.json.empty() || write(files.json, to_json(results))) &&
         (files.svg.empty() || write(files.svg, plot(results.rows)));
}

void print_means(const std::string &suite, const std::vector<Row> &rows) {
  for (const auto &[peer, mean] : means(rows))
    fmt::print("{:8} geometric mean over {} cases, against {}: {:.2f}\n", suite, mean.cases, peer,
               mean.ratio);
}

int run(const std::string &chosen, const Options &options, const OutputFiles &files) {
  const double load_before = load_average();
  std::vector<Row> rows;
  for (const auto &[name, suite] : suites)
    if (chosen == "all" || chosen == name) {
      const Rows measured = suite(options);
      const std::vector<Row> &of_suite = measured.all();
      print_means(name, of_suite);
      rows.insert(rows.end(), of_suite.begin(), of_suite.end());
    }
  if (options.automatic)
    for (Row &row : rows)
      row.suite = "auto-" + row.suite;
  if (rows.empty()) {
    fmt::print(stderr, "atlc-bench: no case of {} has `{}` in its name\n", chosen, options.only);
    return 1;
  }
  return write(Results{"", environment(options, rows, load_before), rows}, files) ? 0 : 1;
}

} // namespace

} // namespace atl::bench

int main(int argc, char **argv) {
  CLI::App app("Benchmarks of atlc: how fast it checks, and how fast the C is that it emits.", "atlc-bench");
  std::string suite = "all";
  atl::bench::OutputFiles files;
  atl::bench::Options options;
  std::vector<std::string> names{"all"};
  for (const auto &entry : atl::bench::suites)
    names.push_back(entry.first);
  app.add_option("--suite", suite, "which benchmarks to run")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "fewer rounds and smaller inputs");
  app.add_option(
      "--only", options.only,
      "measure the cases whose name contains this (suites auto, conv, images, int8, sgemm, sweep, tutorial)");
  app.add_flag("--automatic", options.automatic,
               "the schedules that atlc makes, instead of those of the examples (suites conv, images, int8, "
               "sgemm)");
  app.add_option("--json", files.json, "write the rows to this file");
  app.add_option("--svg", files.svg, "draw the rows into this file");
  atl::bench::ReportFolders folders;
  bool make_report = false;
  CLI::Option *report =
      app.add_flag("--report", make_report, "measure nothing; make the tables and plots of the documents");
  app.add_option("--results", folders.results, "the JSON files that the report is made of")
      ->capture_default_str()
      ->needs(report);
  app.add_option("--output", folders.output, "where the report goes, instead of the documents themselves")
      ->needs(report);
  try {
    app.parse(argc, argv);
    if (!options.only.empty() && !atl::bench::suites_by_case.contains(suite))
      throw CLI::ValidationError("--only", "the suite " + suite + " is measured as a whole");
    if (options.automatic && !atl::bench::suites_of_examples.contains(suite))
      throw CLI::ValidationError("--automatic",
                                 "the suite " + suite + " says itself which schedules it measures");
    if (make_report)
      return atl::bench::write_report(folders) ? 0 : 1;
    return atl::bench::run(suite, options, files);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "atlc-bench: {}\n", error.what());
    return 1;
  }
}
