#include "atl/index/value_text.h"

#include <fmt/format.h>

namespace atl {

std::string value_text(const std::string &name, std::int64_t value) {
  return fmt::format("{} = {}", name, value);
}

std::string values_text(const std::vector<std::string> &names, const Valuation &values) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + value_text(name, values.at(name));
  return text;
}

} // namespace atl
