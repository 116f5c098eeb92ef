// Random numbers that depend on the seed alone, the same on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace atl::fuzz {

class Random {
public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0x9E3779B97F4A7C15u + stream) {}

  std::uint64_t next() { // splitmix64
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); } // both included
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  const T &pick(const std::vector<T> &from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

private:
  std::uint64_t state_;
};

// Things to choose from, each with a weight.
template <class Result>
class Choice {
public:
  void add(int weight, std::function<Result()> make) {
    if (weight > 0) {
      options_.emplace_back(weight, std::move(make));
      total_ += weight;
    }
  }
  Result choose(Random &random) const {
    int at = random.below(total_);
    for (const auto &[weight, make] : options_) {
      if (at < weight)
        return make();
      at -= weight;
    }
    return options_.back().second();
  }

private:
  std::vector<std::pair<int, std::function<Result()>>> options_;
  int total_ = 0;
};

} // namespace atl::fuzz
