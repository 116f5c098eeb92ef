#include "fuzz/seeds.h"

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace atl::fuzz {

std::uint64_t read_seed(const std::string &text) {
  if (text == "date") {
    const std::chrono::year_month_day today{
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
    const std::uint64_t year = static_cast<unsigned>(static_cast<int>(today.year()));
    const std::uint64_t month = static_cast<unsigned>(today.month()),
                        day = static_cast<unsigned>(today.day());
    return year * 10000 + month * 100 + day;
  }
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument(fmt::format("a seed is a number or `date`, not '{}'", text));
  return std::stoull(text);
}

std::vector<Case> read_cases(const std::filesystem::path &file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("cannot read " + file.string());
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string rest;
    Case next{};
    if (words >> next.seed >> next.number && !(words >> rest))
      cases.push_back(next);
    else if (line.find_first_not_of(' ') != line.find('#'))
      throw std::runtime_error(fmt::format("{}: '{}' is no seed and number", file.string(), line));
  }
  return cases;
}

} // namespace atl::fuzz
