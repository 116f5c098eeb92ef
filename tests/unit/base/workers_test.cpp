#include "atl/base/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace atl::workers_test {

namespace {

struct WithWorkers {
  explicit WithWorkers(unsigned count) { use_workers(count); }
  ~WithWorkers() { use_workers(1); }
};

std::string what_is_thrown(std::size_t count, const std::function<void(std::size_t)> &work) {
  try {
    for_each_number(count, work);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("workers: each number is worked on once, also inside of work") {
  for (unsigned workers : {1U, 2U, 5U}) {
    const WithWorkers some(workers);
    std::vector<std::atomic<int>> calls(200);
    for_each_number(10,
                    [&](std::size_t i) { for_each_number(20, [&](std::size_t j) { ++calls[20 * i + j]; }); });
    for (const std::atomic<int> &count : calls)
      CHECK(count == 1);
  }
}

TEST_CASE("workers: no numbers, no calls") {
  for_each_number(0, [](std::size_t) { FAIL("called"); });
}

TEST_CASE("workers: all numbers are worked on, then the first exception goes on") {
  for (unsigned workers : {1U, 4U}) {
    const WithWorkers some(workers);
    std::atomic<int> calls = 0;
    auto fail_at = [&](std::size_t i) {
      ++calls;
      if (i == 3 || i == 7)
        throw std::runtime_error(std::to_string(i));
    };
    CHECK(what_is_thrown(10, fail_at) == "3");
    CHECK(calls == 10);
  }
}

} // namespace atl::workers_test
