#include "bench/sums.h"

#include <cmath>
#include <fmt/format.h>
#include <random>
#include <stdexcept>

namespace atl::bench {

std::string case_name(const std::string &type, const ProductShape &shape) {
  return fmt::format("{} {}x{}x{}", type, shape.m, shape.n, shape.k);
}

std::vector<float> uniform_values(std::int64_t count, float least, float greatest) {
  std::mt19937 random(static_cast<std::uint32_t>(count));
  std::uniform_real_distribution<float> uniform(least, greatest);
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float &value : all)
    value = uniform(random);
  return all;
}

void require_close_sums(const std::string &name, const std::vector<float> &ours,
                        const std::vector<float> &theirs, std::int64_t terms, double factor) {
  const double tolerance = factor * 1e-6 * static_cast<double>(terms + 1);
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - theirs[i]) <= tolerance))
      throw std::runtime_error(
          fmt::format("{}: element {} is {}, the peer has {}", name, i, ours[i], theirs[i]));
}

} // namespace atl::bench
