#include "driver/commands/theorem_scope.h"

#include "atl/base/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <regex>

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

TheoremScope scope_of_theorem(const std::string &text, const lowering::LoopKernel &loops) {
  const std::size_t begin = text.rfind("Theorem correct {S : Scalars}");
  ATL_CHECK(begin != std::string::npos, "a file without a theorem");
  const std::string statement = text.substr(begin, text.find(": compiled", begin) - begin);
  static const std::regex law(R"re(\(law_\d+ : ([^)]*)\))re");
  TheoremScope scope{{}, loops.hardware ? loops.hardware->name : ""};
  for (std::sregex_iterator i(statement.begin(), statement.end(), law), end; i != end; ++i)
    scope.laws.push_back((*i)[1]);
  return scope;
}

} // namespace atl::driver
