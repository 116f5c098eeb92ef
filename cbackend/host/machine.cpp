#include "cbackend/host/machine.h"

#include "cbackend/host/compile.h"
#include "cbackend/host/process.h"

#include <fstream>

namespace atl::cbackend {

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "";
}

std::string compiler_version() {
  std::vector<std::string> words = c_compiler();
  words.emplace_back("--version");
  const auto outcome = run_successfully(words);
  return outcome ? outcome->output.substr(0, outcome->output.find('\n')) : "";
}

} // namespace atl::cbackend
