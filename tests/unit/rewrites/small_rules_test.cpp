// Guards that move, and reshapes that cancel each other.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::small_rules_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";

} // namespace

TEST_CASE("small_rules apply") {
  applies({
      {matrix, "gen y < N, x < M { [y >= 1] A[y - 1, x] }", "apply pull_guard at x;",
       "gen y < N { [y >= 1] gen x < M { A[y - 1, x] } }"},
      {matrix, "gen y < N { [y >= 1] gen x < M { A[y - 1, x] } }", "apply push_guard at x;",
       "gen y < N, x < M { [y >= 1] A[y - 1, x] }"},
      {vector, "gen y < N { sum k < N { [y >= 2] A[k] } }", "apply pull_guard at k;",
       "gen y < N { [y >= 2] sum k < N { A[k] } }"},
      {vector, "gen y < N { A[y] }", "apply state_range at y;", "gen y < N { [0 <= y and y < N] A[y] }"},
      {vector, "gen y < N { sum k < N { [2 * y + k < N and y >= 1] A[k] } }", "apply narrow_range at k;",
       "gen y < N { sum k < N - y * 2 { [y >= 1] A[k] } }"},
      {vector, "gen y < N { A[y] }", "apply pad_right at y by 3;", "truncr 3 padr 3 gen y < N { A[y] }"},
      {vector, "gen y < N { A[y] }", "apply pad_left at y by N;", "truncl N padl N gen y < N { A[y] }"},
  });
}

TEST_CASE("small_rules are refused") {
  refuses({
      {vector, "gen y < N { [y >= 1] A[y - 1] }", "apply pull_guard at y;", "the guard y >= 1 depends on y"},
      {vector, "gen y < N { A[y] }", "apply pull_guard at y;", "there is no guard directly inside y"},
      {vector, "gen y < N { A[y] }", "apply push_guard at y;", "y is not directly inside a guard"},
      {vector, "gen y < N { A[y] }", "apply pad_right at y by -1;", "N = 0: the amount of padding is -1"},
      {vector, "gen y < N { sum k < N { A[k] } }", "apply pad_left at k by 1;", "k is a reduction"},
      {vector, "gen y < N { [y < 2] A[y] }", "apply narrow_range at y;", "y is not a reduction"},
      {vector, "gen y < N { sum k < N { [2 * k < N] A[k] } }", "apply narrow_range at k;",
       "there is no guard directly inside k"},
      {vector, "gen y < N { A[y] }", "apply magic at y;", "apply is written in another way"},
      // outside arithmetic the maximum of nothing is the least number, inside it a guard is 0
      {vector, "gen y < N { 1.0 + max k < N { [y >= 2] A[k] } }", "apply pull_guard at k;",
       "N = 1, y = 0: the schedule has 0.0f32"},
      {vector, "gen y < N { min i < 2 { [y >= 2] sum k < N { A[k] } } }", "apply push_guard at k;",
       "i_3 = 0: the min of the "},
  });
}

} // namespace atl::small_rules_test
