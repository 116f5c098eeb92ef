// atlc-bench: prints a table, and writes its rows as JSON. docs/benchmarks.md says how to read them.
#include "bench/row.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace atl::bench {

namespace {

using Suite = std::vector<Row> (*)(const Options &);
const std::map<std::string, Suite> suites{
    {"check", check_suite}, {"coq", coq_suite}, {"kernels", kernel_suite}};

void print(const Row &row) {
  std::string peers;
  for (const auto &[name, value] : row.peers)
    peers += fmt::format("{}{} {:.3f}", peers.empty() ? "" : ", ", name, value);
  fmt::print("{:8} {:48} {:10.3f} {}  {:6.2f}  ({})\n", row.suite, row.name, row.ours, row.unit, row.ratio(),
             peers);
  std::fflush(stdout);
}

nlohmann::ordered_json to_json(const Row &row) {
  return {{"suite", row.suite},  {"case", row.name},   {"ours", row.ours},
          {"unit", row.unit},    {"peers", row.peers}, {"best_peer", row.best_peer()},
          {"ratio", row.ratio()}};
}

bool write(const std::vector<Row> &rows, const std::string &path) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row &row : rows)
    list.push_back(to_json(row));
  std::ofstream file(path);
  file << list.dump(2) << '\n';
  file.close();
  if (file)
    return true;
  fmt::print(stderr, "{} cannot be written\n", path);
  return false;
}

int run(const std::string &chosen, const Options &options, const std::string &json_path) {
  std::vector<Row> rows;
  for (const auto &[name, suite] : suites)
    if (chosen == "all" || chosen == name)
      for (Row &row : suite(options)) {
        print(row);
        rows.push_back(std::move(row));
      }
  return json_path.empty() || write(rows, json_path) ? 0 : 1;
}

} // namespace

} // namespace atl::bench

int main(int argc, char **argv) {
  CLI::App app("Benchmarks of atlc: how fast it checks, and how fast the C is that it emits.", "atlc-bench");
  std::string suite = "all", json_path;
  atl::bench::Options options;
  std::vector<std::string> names{"all"};
  for (const auto &entry : atl::bench::suites)
    names.push_back(entry.first);
  app.add_option("--suite", suite, "which benchmarks to run")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "fewer rounds and smaller inputs");
  app.add_option("--json", json_path, "write the rows to this file");
  try {
    app.parse(argc, argv);
    return atl::bench::run(suite, options, json_path);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "atlc-bench: {}\n", error.what());
    return 1;
  }
}
