#include "bench/examples.h"

#include <algorithm>

namespace atl::bench {

std::vector<std::filesystem::path> example_programs() {
  std::vector<std::filesystem::path> programs;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(ATLC_SOURCE_ROOT) / "examples"))
    if (entry.path().extension() == ".atl")
      programs.push_back(entry.path());
  std::sort(programs.begin(), programs.end());
  return programs;
}

} // namespace atl::bench
