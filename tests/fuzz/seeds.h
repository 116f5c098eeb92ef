// What a fuzzer draws, and its main program.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace atl::fuzz {

// A number, or `date`: today's, such as 20261124 (UTC). Throws std::invalid_argument.
std::uint64_t read_seed(const std::string &text);

struct Draws {
  std::uint64_t seed = 1, first = 0, count = 1;

  std::uint64_t end() const { return first + count; }
};

// An option of a fuzzer's command line, and where its value goes; a flag where that is a bool.
struct FuzzOption {
  std::string name;
  std::variant<bool *, int *, std::size_t *, double *, std::string *, std::filesystem::path *,
               std::vector<std::string> *>
      value;
  std::string help;
  bool required = false;
};

struct FuzzProgram {
  std::string name, about;
  std::string how_many; // the option for the count, such as --programs
  std::vector<FuzzOption> options;
};

// With the options --seed, --first and that for the count, besides those of the program. Says how to repeat
// it. The result is that of `main`: 0 if nothing was found, 1 if something was, 2 if it cannot be run.
int run_fuzzer(const FuzzProgram &program, Draws &draws, int argc, char **argv,
               const std::function<bool()> &finds_nothing);

} // namespace atl::fuzz
