#include "driver/tune/sizes.h"

#include "atl/base/printable.h"
#include "driver/tune/measure.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>

namespace atl::driver {

static Diagnostic wrong(std::string message) {
  return {Code::bad_argument, std::nullopt, std::move(message), {}};
}

// M=512,N=100
static Result<Valuation> sizes_in(const std::string &words, const TypedKernel &kernel) {
  const std::vector<std::string> names = kernel.size_names();
  Valuation sizes;
  std::istringstream stream(words);
  for (std::string word; std::getline(stream, word, ',');) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals), number = word.substr(std::min(equals + 1, word.size()));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (std::find(names.begin(), names.end(), name) == names.end())
      return wrong(fmt::format("{} has no size '{}'", kernel.name, printable(name)));
    if (number.empty() || error != std::errc() || end != number.data() + number.size())
      return wrong(fmt::format("--sizes: '{}' is no number", printable(number)));
    if (!sizes.emplace(name, value).second)
      return wrong(fmt::format("--sizes: {} is given twice", name));
  }
  return sizes;
}

Result<std::vector<Inputs>> drawn_for_all(const std::vector<std::string> &given, const TypedKernel &kernel) {
  std::vector<Inputs> all;
  for (const std::string &words : given.empty() ? std::vector<std::string>{""} : given) {
    auto sizes = sizes_in(words, kernel);
    if (!sizes)
      return sizes.errors();
    if (std::any_of(all.begin(), all.end(), [&](const Inputs &other) { return other.sizes == *sizes; }))
      return wrong(fmt::format("the sizes {} are given twice", words));
    auto inputs = drawn_inputs(kernel, *sizes);
    if (!inputs)
      return inputs.errors();
    all.push_back(std::move(*inputs));
  }
  return all;
}

} // namespace atl::driver
