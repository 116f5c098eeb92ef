// What a fuzzer draws, and its main program.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace atl::fuzz {

// A number, or `date`: today's, such as 20261124 (UTC). Throws std::invalid_argument.
std::uint64_t read_seed(const std::string &text);

struct Draws {
  std::uint64_t seed = 1, first = 0, count = 1;

  std::uint64_t end() const { return first + count; }
};

// With the options --seed and --first, and `how_many` (such as --programs) for the count. Says how to repeat
// it. The result is that of `main`: 0 if nothing was found, 1 if something was, 2 if it cannot be run.
int run_fuzzer(CLI::App &app, Draws &draws, const std::string &how_many, int argc, char **argv,
               const std::function<bool()> &finds_nothing);

} // namespace atl::fuzz
