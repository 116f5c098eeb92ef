// Where random programs begin: a seed, that of the day, and cases that failed once.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace atl::fuzz {

// A number, or `date`: today's, such as 20261124 (UTC). Throws std::invalid_argument.
std::uint64_t read_seed(const std::string &text);

struct Case {
  std::uint64_t seed, number;
};

// Lines `SEED NUMBER`; what follows a # is a comment. Throws std::runtime_error.
std::vector<Case> read_cases(const std::filesystem::path &file);

} // namespace atl::fuzz
