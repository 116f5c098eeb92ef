#include "fuzz/seeds.h"

#include <chrono>
#include <fmt/format.h>
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

} // namespace atl::fuzz
