// What is checked of a program after every step; schedules without measure.
#include "tests/support/scheduled.h"

#include <ctime>
#include <fmt/format.h>

namespace atl::well_formed_test {

using atl::testing::scheduled;

namespace {

const std::string vector = "kernel vector(N: size, A: f32[N]) -> f32[N] { gen i < N { 2.0 * A[i] } }\n";

std::string problem_of(const std::string &kernel, const std::string &name, const std::string &steps) {
  return scheduled(kernel + "schedule s for " + name + " { " + steps + " }").problem;
}

} // namespace

TEST_CASE("names of new loops are new") {
  const std::string nest = "kernel nest(N: size, M: size, A: f32[N, M]) -> f32[N, M] "
                           "{ let b = gen y < N, x < M { A[y, x] }; gen i < N, j < M { b[i, j] } }\n";
  struct Row {
    const char *steps, *problem;
  };
  for (const Row &row : std::vector<Row>{
           {"split i by 4 into p, q;", ""},
           {"split i by 4 into y, x;", ""}, // those of another tensor
           {"split i by 4 into b, q;", ""}, // the temporary gets another name
           {"split i by 4 into i, q;", ""},
           {"split j by 4 into i, q;", "a loop i would be inside another loop i"},
           {"split i by 4 into j, q;", "a loop inside is already called j"},
           {"split i by 4 into N, q;", "a loop N would have the name of a parameter"},
           {"cut i at N / 2 into p, A;", "a loop A would have the name of a parameter"},
           {"split i by 4 into out, q;", "a loop out would have the name of a result"},
           {"split i by k;", "k is not known there: it is neither a size nor a loop around it"},
           {"cut j at min(i, M);", ""},
           {"cut i at min(j, N);", "j is not known there: it is neither a size nor a loop around it"}}) {
    CAPTURE(row.steps);
    CHECK(problem_of(nest, "nest", row.steps) == row.problem);
  }
}

TEST_CASE("many steps, and programs that grow without measure") {
  std::clock_t start = std::clock(); // of the processor, whatever else runs
  std::string many, deep, name = "i", temporaries, all;
  for (int i = 0; i < 5000; ++i)
    many += "parallel i; sequential i;";
  CHECK(problem_of(vector, "vector", many) == "");
  for (int i = 0; i < 300; ++i) {
    deep += "split " + name + " by 1;";
    name += ".o";
  }
  CHECK(problem_of(vector, "vector", deep) == "the program would be nested more than 500 levels deep");
  for (int i = 1; i <= 16; ++i) {
    temporaries +=
        fmt::format("let t{} = gen i < N {{ t{}[i] + t{}[i] + t{}[N - 1 - i] }}; ", i, i - 1, i - 1, i - 1);
    all += fmt::format("inline t{};", i);
  }
  CHECK(problem_of("kernel sums(N: size, t0: f32[N]) -> f32[N] { " + temporaries + "gen i < N { t16[i] } }\n",
                   "sums", all) == "the program would have more than 1000000 parts");
  CHECK((std::clock() - start) / CLOCKS_PER_SEC < 120);
}

} // namespace atl::well_formed_test
