// What `atlc tune` tries, without measuring anything.
#include "atl/parse/parse.h"
#include "atl/syntax/print_schedule.h"
#include "driver/tune/search.h"
#include "driver/tune/tune.h"

#include <doctest/doctest.h>

namespace atl::tune_test {

using namespace atl::driver;

namespace {

std::vector<Step> steps_of(const std::string &steps) {
  Sources sources;
  const std::string text = "kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }\n"
                           "step mine(a, n, m) { split a by n; }\nschedule s for k { " +
                           steps + " }\n";
  const auto program = parse_program(sources, sources.add({"test.atl", text}));
  REQUIRE(program);
  return program->schedules.at(0).steps;
}

using Numbers = std::vector<std::int64_t>;

} // namespace

TEST_CASE("numbers of a schedule") {
  const std::vector<Step> steps = steps_of(
      "split i by 8; mine(i, 16, N / 4); align N to 32; within k { mine(i, 3, [5, i]); } tile i by 2, j by 7;"
      "specialize when N > 9 { prefetch x at i by 11; }");
  CHECK(numbers_of(steps) == Numbers{8, 16, 3, 5, 2, 7, 11});
  const std::vector<Step> other = with_number(steps, 3, 6);
  CHECK(numbers_of(other) == Numbers{8, 16, 3, 6, 2, 7, 11});
  CHECK(print(other).find("mine(i, 3, [6, i])") != std::string::npos);
  CHECK(print(steps_of(print(other))) == print(other));
}

TEST_CASE("the steps for some sizes") {
  const std::vector<Step> steps =
      steps_of("split i by 2; specialize when N > 9 { split i.i by 3; } split i.o by 4;");
  CHECK(print(steps_at(steps, {{"N", 10}})) == "split i by 2;\nsplit i.i by 3;\n");
  CHECK(print(steps_at(steps, {{"N", 9}})) == "split i by 2;\nsplit i.o by 4;\n");
}

TEST_CASE("a search finds the best numbers, and tries none twice") {
  Search search({steps_of("split i by 8; split j by 64;"), steps_of("split i by 3;")});
  std::set<std::string> tried;
  int count = 0;
  for (auto steps = search.next(); steps && count < 300; steps = search.next(), ++count) {
    CHECK(tried.insert(print(*steps)).second);
    const Numbers numbers = numbers_of(*steps);
    const bool is_refused = numbers.size() != 2 || numbers[1] % 16 != 0; // as a vector of 16 lanes would
    const auto distance = [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(a > b ? a - b : b - a);
    };
    search.learn(is_refused ? std::nullopt
                            : std::optional(1 + distance(numbers[0], 21) + distance(numbers[1], 32)));
  }
  CHECK(print(search.best()) == "split i by 21;\nsplit j by 32;\n");
}

TEST_CASE("a search repeats itself") {
  auto order = [] {
    Search search({steps_of("split i by 8; split j by 64; mine(i, 5, 6);")});
    std::string all;
    for (int count = 0; count < 100; ++count) {
      const auto steps = search.next();
      REQUIRE(steps);
      all += print(*steps);
      search.learn(count % 7 == 0 ? std::nullopt : std::optional(100.0 - count % 5));
    }
    return all;
  };
  CHECK(order() == order());
}

TEST_CASE("a search ends where there are no numbers") {
  Search search({steps_of("vectorize i;")});
  REQUIRE(search.next());
  search.learn(1.0);
  CHECK_FALSE(search.next());
  CHECK(print(search.best()) == "vectorize i;\n");
}

namespace {

Tuned found(std::int64_t m, std::int64_t n, const std::string &steps) {
  Tuned tuned;
  tuned.sizes = {{"M", m}, {"N", n}};
  tuned.best = steps_of(steps);
  return tuned;
}

} // namespace

TEST_CASE("schedules for several sizes become one") {
  CHECK(print(joined({found(1000, 10, "split i by 3;"), found(40, 10, "split i by 2;"),
                      found(10, 4000, "split i by 4;")})) ==
        "specialize when M <= 200 and N <= 200 {\n  split i by 2;\n}\n"
        "specialize when N <= 200 {\n  split i by 3;\n}\nsplit i by 4;\n");
  CHECK(print(joined({found(1, 1, "split i by 2;"), found(4, 4, "split i by 2;")})) == "split i by 2;\n");
}

TEST_CASE("sizes that were tuned for get their own schedule") {
  const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{{5, 5},   {5, 6},   {6, 5}, {1, 900},
                                                                 {900, 1}, {30, 30}, {0, 7}};
  std::vector<Tuned> all;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    all.push_back(found(sizes[i].first, sizes[i].second, "split i by " + std::to_string(i + 2) + ";"));
  const std::vector<Step> steps = joined(all);
  for (const Tuned &one : all)
    CHECK(print(steps_at(steps, one.sizes)) == print(one.best));
}

} // namespace atl::tune_test
