// A loop as two, one after the other.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::cut_loop_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string total = "(N: size, A: f32[N]) -> f32";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";

} // namespace

TEST_CASE("cut_loop applies") {
  applies({
      {total, "sum k < N { A[k] }", "cut k at N / 2;", R"(sum unrolled k.c < 2 {
            sum k.c * (N / 2) <= k < N / 2 + k.c * (N - N / 2) { A[k] }
          })"},
      {total, "max 1 <= k < N { A[k] - A[k - 1] }", "peel k;", R"(max unrolled k.c < 2 {
            max 1 + k.c * (min(2, N) - 1) <= k < min(2, N) + k.c * (N - min(2, N)) { A[k] - A[k - 1] }
          })"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at N / 2;",
       "concat(gen y.a < N / 2 { 2.0 * A[y.a] }, gen N / 2 <= y.b < N { 2.0 * A[y.b] })"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at 0 into none, all;",
       "concat(gen none < 0 { 2.0 * A[none] }, gen all < N { 2.0 * A[all] })"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at N into all, none;",
       "concat(gen all < N { 2.0 * A[all] }, gen N <= none < N { 2.0 * A[none] })"},
      {vector, "gen y < N { 2.0 * A[y] }", "peel y;",
       "concat(gen y.a < min(1, N) { 2.0 * A[y.a] }, gen min(1, N) <= y.b < N { 2.0 * A[y.b] })"},
      {vector, "gen y < N { 2.0 * A[y] }", "peel y by 3;",
       "concat(gen y.a < min(3, N) { 2.0 * A[y.a] }, gen min(3, N) <= y.b < N { 2.0 * A[y.b] })"},
      {"(N: size, A: f32[N]) -> f32[N] where N >= 2",
       "gen y < N { [y >= 1 and y < N - 1] A[y - 1] * A[y + 1] }", "cut y at 1; cut y.b at N - 1;", R"(concat(
            gen y.a < 1 { [y.a >= 1 and y.a < N - 1] A[y.a - 1] * A[y.a + 1] },
            gen 1 <= y.b.a < N - 1 { [y.b.a >= 1 and y.b.a < N - 1] A[y.b.a - 1] * A[y.b.a + 1] },
            gen N - 1 <= y.b.b < N { [y.b.b >= 1 and y.b.b < N - 1] A[y.b.b - 1] * A[y.b.b + 1] }
          ))"},
      {"(N: size, A: f32[N + 3]) -> f32[N]", "gen 3 <= y < N + 3 { A[y] - A[y - 3] }", "cut y at 3 + N / 2;",
       R"(concat(
            gen 3 <= y.a < 3 + N / 2 { A[y.a] - A[y.a - 3] },
            gen 3 + N / 2 <= y.b < N + 3 { A[y.b] - A[y.b - 3] }
          ))"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "cut x at min(y, M);", R"(gen y < N {
            concat(
              gen x.a < min(y, M) { 2.0 * A[y, x.a] },
              gen min(y, M) <= x.b < M { 2.0 * A[y, x.b] }
            )
          })"},
      {matrix, "gen y < N { let b = gen x < M { 2.0 * A[y, x] }; gen x < M { b[x] + b[M - 1 - x] } }",
       "cut y at N / 2;", R"(concat(
            gen y.a < N / 2 {
              let b = gen x < M { 2.0 * A[y.a, x] };
              gen x < M { b[x] + b[M - 1 - x] }
            },
            gen N / 2 <= y.b < N {
              let b_2 = gen x < M { 2.0 * A[y.b, x] };
              gen x < M { b_2[x] + b_2[M - 1 - x] }
            }
          ))"},
  });
}

TEST_CASE("cut_loop is refused") {
  refuses({
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at 5;", "N = 0: y runs from 0 to 0, and is cut at 5"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at -1;", "N = 0: y runs from 0 to 0, and is cut at -1"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at N + 1;", "N = 0: y runs from 0 to 0, and is cut at 1"},
      {"(N: size, A: f32[N + 3]) -> f32[N]", "gen 3 <= y < N + 3 { A[y] - A[y - 3] }", "cut y at 2;",
       "N = 0: y runs from 3 to 3, and is cut at 2"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "cut x at y;",
       "N = 2, M = 0, y = 1: x runs from 0 to 0, and is cut at 1"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "cut y at N / 2 into x, z;",
       "a loop inside is already called x"},
      {vector, "gen y < N { 2.0 * A[y] }", "peel y by -1;", "N = 0: y runs from 0 to 0, and is cut at -1"},
      {vector, "gen y < N { 2.0 * A[y] }", "cut y at q;",
       "q is not known there: it is neither a size nor a loop around it"},
  });
}

} // namespace atl::cut_loop_test
