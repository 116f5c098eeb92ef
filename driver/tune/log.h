// What was tried, in memory and, if there is one, in a file: lines of JSON, the first one about what the
// search is for. A search that is begun again with the same file finds what it tried there.
#pragma once
#include "atl/base/result.h"
#include "atl/index/index.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl::driver {

struct Trial {
  Valuation sizes;
  std::string steps; // as text
  std::optional<double> seconds;
  std::string refused; // why, if there are no seconds
};

class Log {
public:
  // Of no file: only in memory. E8011 if the file says that it is about something else, or is no log. A last
  // line that is not complete counts as not there.
  static Result<Log> open(const std::filesystem::path &file, const nlohmann::ordered_json &about);

  const Trial *find(const Valuation &sizes, const std::string &steps) const;
  std::optional<Diagnostic> add(const Trial &trial); // E8002: it cannot be written; what was there is kept
  const std::vector<Trial> &trials() const { return trials_; }

private:
  std::optional<Diagnostic> read(const std::string &text, const nlohmann::ordered_json &about);
  void keep(Trial trial);

  std::filesystem::path file_;
  std::string text_;
  std::vector<Trial> trials_;
  std::map<std::pair<Valuation, std::string>, std::size_t> places_;
};

} // namespace atl::driver
