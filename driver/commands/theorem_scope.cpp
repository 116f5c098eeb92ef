#include "driver/commands/theorem_scope.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace atl::driver {

// Integers that wrap obey all of them.
std::vector<std::string> TheoremScope::laws_of_floats() const {
  std::vector<std::string> result;
  std::copy_if(laws.begin(), laws.end(), std::back_inserter(result), [](const std::string &law) {
    return law.find(".f32\"") != std::string::npos || law.find(".f64\"") != std::string::npos;
  });
  return result;
}

std::string TheoremScope::agreement() const {
  const std::vector<std::string> assumed = laws_of_floats();
  return assumed.empty() ? "bit by bit"
                         : fmt::format("up to laws that floats do not obey: {}", fmt::join(assumed, ", "));
}

std::string TheoremScope::covers() const {
  return hardware.empty() ? "all loops"
                          : fmt::format("the portable loops, not the instructions of {}", hardware);
}

} // namespace atl::driver
