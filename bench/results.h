// What a run measured and where: the JSON files in bench/results, from which the pages and plots are made.
#pragma once
#include "bench/row.h"

#include <map>
#include <string>
#include <vector>

namespace atl::bench {

// Where, when and with what a run was made.
struct Environment {
  std::string cpu, vectors;        // the model, and the widest vectors that the examples' schedules use
  int cores = 0;                   // those this process may use
  std::vector<std::string> caches; // "L1 data 32K", ...
  std::string system, compiler, flags, atlc, date;
  bool quick = false;
  double load_before = 0, load_after = 0;   // the machine's load averages over a minute, our own included
  std::map<std::string, std::string> peers; // their versions
};

struct Results {
  std::string name; // of the file, without .json
  Environment environment;
  std::vector<Row> rows;
};

double load_average();
// `since`: the load before the run. Peers are those of the rows.
Environment environment(const Options &options, const std::vector<Row> &rows, double load_before);

std::string to_json(const Results &results);
// Of a file that to_json wrote; std::runtime_error if it is another.
Results from_json(const std::string &name, const std::string &text);

} // namespace atl::bench
