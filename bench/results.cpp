#include "bench/results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace atl::bench {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Environment &e) {
  return {{"cpu", e.cpu},
          {"vectors", e.vectors},
          {"cores", e.cores},
          {"caches", e.caches},
          {"system", e.system},
          {"compiler", e.compiler},
          {"flags", e.flags},
          {"atlc", e.atlc},
          {"date", e.date},
          {"quick", e.quick},
          {"load", {{"before", e.load_before}, {"after", e.load_after}}},
          {"peers", e.peers}};
}

Environment environment_of(const Json &json) {
  Environment e;
  json.at("cpu").get_to(e.cpu);
  json.at("vectors").get_to(e.vectors);
  json.at("cores").get_to(e.cores);
  json.at("caches").get_to(e.caches);
  json.at("system").get_to(e.system);
  json.at("compiler").get_to(e.compiler);
  json.at("flags").get_to(e.flags);
  json.at("atlc").get_to(e.atlc);
  json.at("date").get_to(e.date);
  json.at("quick").get_to(e.quick);
  json.at("load").at("before").get_to(e.load_before);
  json.at("load").at("after").get_to(e.load_after);
  json.at("peers").get_to(e.peers);
  return e;
}

Json to_json(const Row &row) {
  return {{"suite", row.suite},   {"case", row.name},   {"ours", row.ours},
          {"unit", row.unit},     {"peers", row.peers}, {"best_peer", row.best_peer()},
          {"ratio", row.ratio()}, {"limit", row.limit}};
}

Row row_of(const Json &json) {
  Row row;
  json.at("suite").get_to(row.suite);
  json.at("case").get_to(row.name);
  json.at("unit").get_to(row.unit);
  json.at("ours").get_to(row.ours);
  json.at("peers").get_to(row.peers);
  json.at("limit").get_to(row.limit);
  return row;
}

} // namespace

std::string to_json(const Results &results) {
  Json rows = Json::array();
  for (const Row &row : results.rows)
    rows.push_back(to_json(row));
  return Json{{"environment", to_json(results.environment)}, {"rows", rows}}.dump(2) + "\n";
}

Results from_json(const std::string &name, const std::string &text) {
  try {
    const Json json = Json::parse(text);
    Results results{name, environment_of(json.at("environment")), {}};
    for (const Json &row : json.at("rows"))
      results.rows.push_back(row_of(row));
    return results;
  } catch (const Json::exception &error) {
    throw std::runtime_error(fmt::format("{}.json: {}", name, error.what()));
  }
}

} // namespace atl::bench
