#include "driver/tune/log.h"

#include "driver/io/files.h"

#include <fmt/format.h>
#include <sstream>

namespace atl::driver {

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json to_json(const Trial &trial) {
  Json json{{"sizes", trial.sizes}, {"steps", trial.steps}};
  if (trial.seconds)
    json["seconds"] = *trial.seconds;
  else
    json["refused"] = trial.refused;
  return json;
}

// Nothing if it is no trial.
std::optional<Trial> to_trial(const Json &json) {
  try {
    Trial trial{json.at("sizes").get<Valuation>(), json.at("steps").get<std::string>(), {}, {}};
    if (json.contains("seconds"))
      trial.seconds = json.at("seconds").get<double>();
    else
      trial.refused = json.at("refused").get<std::string>();
    return trial;
  } catch (const Json::exception &) {
    return std::nullopt;
  }
}

Diagnostic no_log(const std::filesystem::path &file, const std::string &why) {
  return {Code::bad_log,
          std::nullopt,
          fmt::format("{} is not the log of this search: {}", file.string(), why),
          {{std::nullopt, "another name begins a new log"}}};
}

} // namespace

Result<Log> Log::open(const std::filesystem::path &file, const Json &about) {
  Log log;
  log.file_ = file;
  std::error_code ignored;
  if (!file.empty() && std::filesystem::exists(file, ignored)) {
    auto text = read_file(file);
    if (!text)
      return text.errors();
    if (auto problem = log.read(*text, about))
      return *problem;
    return log;
  }
  log.text_ = line_of(about);
  if (!file.empty())
    if (auto problem = write_file(file, log.text_))
      return *problem;
  return log;
}

std::optional<Diagnostic> Log::read(const std::string &text, const Json &about) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const Json first = Json::parse(line, nullptr, false);
  if (!first.is_object())
    return no_log(file_, "its first line is no JSON object");
  for (const auto &[key, value] : about.items())
    if (!first.contains(key) || first.at(key) != value)
      return no_log(file_, fmt::format("its {} is another one", key));
  text_ = line_of(about);
  for (std::size_t number = 2; std::getline(lines, line); ++number) {
    const auto trial = to_trial(Json::parse(line, nullptr, false));
    if (!trial && lines.eof())
      break;
    if (!trial)
      return no_log(file_, fmt::format("line {} is no result", number));
    text_ += line + "\n";
    keep(*trial);
  }
  return std::nullopt;
}

void Log::keep(Trial trial) {
  places_[{trial.sizes, trial.steps}] = trials_.size();
  trials_.push_back(std::move(trial));
}

const Trial *Log::find(const Valuation &sizes, const std::string &steps) const {
  const auto found = places_.find({sizes, steps});
  return found == places_.end() ? nullptr : &trials_[found->second];
}

std::optional<Diagnostic> Log::add(const Trial &trial) {
  keep(trial);
  text_ += line_of(to_json(trial));
  return file_.empty() ? std::nullopt : write_file(file_, text_);
}

} // namespace atl::driver
