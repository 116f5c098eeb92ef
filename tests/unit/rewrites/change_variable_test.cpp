// A reduction over another variable, or without one.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::change_variable_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string total = "(N: size, A: f32[N]) -> f32";

} // namespace

TEST_CASE("change_variable applies") {
  applies({
      {total, "sum r < N { A[r] }", "shift r by 0 as i to N;", "sum i < N { A[i] }"},
      {total, "sum r < N { A[r] }", "shift r by 0 as r to N;", "sum r < N { A[r] }"},
      {"(N: size, A: f32[N + 2]) -> f32", "sum 2 <= r < N + 2 { A[r] }", "shift r by 2 as i to N;",
       "sum i < N { A[i + 2] }"},
      {"(N: size, A: f32[N + 2]) -> f32", "sum 2 <= r < N + 2 { A[r] }", "shift r by 0 as i to N + 2;",
       "sum i < N + 2 { [2 <= i] A[i] }"},
      {"(W: size, R: size, x: f32[W], w: f32[R]) -> f32[W]",
       "gen p < W { sum r < R { [p + r < W] x[p + r] * w[r] } }", "shift r by 0 - p as i to W;",
       R"(gen p < W {
            sum i < W {
              [0 <= i - p and i - p < R] [p + (i + (0 - p)) < W] x[p + (i + (0 - p))] * w[i + (0 - p)]
            }
          })"},
      {total, "max r < N { A[r] }", "shift r by -3 as i to N + 3;",
       "max i < N + 3 { [0 <= i - 3] A[i + -3] }"},
  });
}

TEST_CASE("collapse finds a guard on a factor, up to 0 * x = 0") {
  applies_up_to_rounding({
      {vector, "gen i < N { sum j < N { ([j == N - 1 - i] 2.0) * A[j] } }", "collapse j;",
       "gen i < N { [0 <= N - i - 1 and N - i - 1 < N] [N - i - 1 == N - 1 - i] 2.0 * A[N - i - 1] }"},
      {vector, "let d = gen k < 2 * N { [k == N] 1.0 }; gen i < N { sum j < N { d[i - j + N] * A[j] } }",
       "inline d; collapse j;", "gen i < N { [0 <= i and i < N] [i - i + N == N] 1.0 * A[i] }"},
  });
}

TEST_CASE("change_variable is refused") {
  refuses({
      {total, "sum r < N { A[r] }", "shift r by 1 as i to N;",
       "equal: N = 1, r_2 = 0: the sum of the schedule has no term i_2 = -1"},
      {total, "sum r < N { A[r] }", "shift r by 0 as i to N - 1;",
       "equal: N = 1, r_2 = 0: the sum of the schedule has no term i_2 = 0"},
      {total, "sum r < N { A[r] }", "shift r by r as i to N;",
       "r is not known there: it is neither a size nor a loop around it"},
      {total, "sum r < N { A[r] }", "shift r by 0 as i to q;",
       "q is not known there: it is neither a size nor a loop around it"},
      {vector, "gen y < N { A[y] }", "shift y by 1 as i to N;", "y is not a reduction"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "sum y < N, x < M { A[y, x] }", "shift y by 0 as x to N;",
       "a loop inside is already called x"},
      {vector, "gen i < N { sum j < N { [j <= i] A[j] } }", "collapse j;",
       "no condition directly inside j says what j is"},
      {vector, "gen i < N { sum j < N { [2 * j == i] A[j] } }", "collapse j;",
       "no condition directly inside j says what j is"},
      {vector, "gen i < N { sum j < N { [j == i or j == 0] A[j] } }", "collapse j;",
       "no condition directly inside j says what j is"},
      {vector, "gen i < N { [i == 3] A[i] }", "collapse i;", "i is not a reduction"},
      // a maximum without terms is the least number, and a cell that holds nothing is 0
      {vector, "gen i < N { max j < N { [j == i + 1] A[j] } }", "collapse j;", "N = 1, i = 0"},
  });
}

TEST_CASE("change_variable applies, up to rounding") {
  applies_up_to_rounding({
      {vector, "gen i < N { sum j < N { [j == N - 1 - i] A[j] } }", "collapse j;",
       "gen i < N { [0 <= N - i - 1 and N - i - 1 < N] [N - i - 1 == N - 1 - i] A[N - i - 1] }"},
      {vector, "gen i < N { sum j < N { [i - j == 2] A[j] } }", "collapse j;",
       "gen i < N { [0 <= i - 2 and i - 2 < N] [i - (i - 2) == 2] A[i - 2] }"},
      {vector, "gen i < N { sum j < N { [j >= 1] [j == i and i >= 2] A[j - 1] } }", "collapse j;",
       "gen i < N { [0 <= i and i < N] [i >= 1] [i == i and i >= 2] A[i - 1] }"},
  });
}

} // namespace atl::change_variable_test
