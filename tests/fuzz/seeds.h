// Where random programs begin: a seed, or that of the day.
#pragma once
#include <cstdint>
#include <string>

namespace atl::fuzz {

// A number, or `date`: today's, such as 20261124 (UTC). Throws std::invalid_argument.
std::uint64_t read_seed(const std::string &text);

} // namespace atl::fuzz
