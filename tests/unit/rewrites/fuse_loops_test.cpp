// Two loops as one; how the iterations of a loop are run.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::fuse_loops_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string total = "(N: size, A: f32[N]) -> f32";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("fuse_loops applies") {
  applies({
      {"(N: size, M: size, A: f32[N, M]) -> f32 where 3 <= M, N <= 1000, M <= 1000",
       "sum 3 <= y < N, 3 <= x < M { A[y, x] }", "fuse y, x into f;",
       "sum f < M * N + 9 - M * 3 - N * 3 { A[3 + f / (M - 3), 3 + f % (M - 3)] }"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, M] where M >= 1, N <= 1000, M <= 1000",
       "gen y < N, x < M { 2.0 * A[y, x] }", "fuse y, x;",
       "split M gen y.x < M * N { 2.0 * A[y.x / M, y.x % M] }"},
      {"(N: size, A: f32[N, 3]) -> f32[N, 3]", "gen y < N, x < 3 { 2.0 * A[y, x] }", "fuse y, x into f;",
       "split 3 gen f < N * 3 { 2.0 * A[f / 3, f % 3] }"},
      {"(A: f32[8, 8]) -> f32[8, 4]", "gen y < 8, 4 <= x < 8 { 2.0 * A[y, x] }", "fuse y, x into f;",
       "split 4 gen f < 32 { 2.0 * A[f / 4, 4 + f % 4] }"},
      {"(N: size, A: f32[N + 2, 8]) -> f32[N, 4]", "gen 2 <= y < N + 2, 4 <= x < 8 { 2.0 * A[y, x] }",
       "fuse y, x into f;", "split 4 gen f < N * 4 { 2.0 * A[2 + f / 4, 4 + f % 4] }"},
      {"(N: size, A: f32[N, 3, 4]) -> f32[N, 3, 4]", "gen z < N, y < 3, x < 4 { A[z, y, x] }",
       "fuse z, y into p; fuse p, x into q;",
       "split 3 split 4 gen q < N * 12 { A[q / 4 / 3, q / 4 % 3, q % 4] }"},
      {"(N: size, M: size, A: f32[N, M]) -> f32 where N <= 1000, M <= 1000", "sum y < N, x < M { A[y, x] }",
       "fuse y, x into f;", "sum f < M * N { A[f / M, f % M] }"},
      {"(N: size, A: f32[N + 2, 8]) -> f32", "max 2 <= y < N + 2, 4 <= x < 8 { A[y, x] }",
       "fuse y, x into f;", "max f < N * 4 { A[2 + f / 4, 4 + f % 4] }"},
      {vector, "gen y < N { 2.0 * A[y] }", "parallel y;", "gen parallel y < N { 2.0 * A[y] }"},
      {"(A: f32[8]) -> f32[8]", "gen y < 8 { 2.0 * A[y] }", "vectorize y;",
       "gen vectorized y < 8 { 2.0 * A[y] }"},
      {"(N: size, A: f32[N, 4]) -> f32[N]", "gen y < N { sum k < 4 { A[y, k] } }", "unroll k;",
       "gen y < N { sum unrolled k < 4 { A[y, k] } }"},
      {"(N: size, A: f32[N, 4]) -> f32[N]", "gen y < N { sum k < 4 { A[y, k] } }",
       "parallel y; unroll k; sequential y; sequential k;", "gen y < N { sum k < 4 { A[y, k] } }"},
      {"(N: size, A: f32[N + 3]) -> f32[N]", "gen y < N { sum y <= k < y + 3 { A[k] } }", "unroll k;",
       "gen y < N { sum unrolled y <= k < y + 3 { A[k] } }"},
  });
}

TEST_CASE("fuse_loops is refused") {
  refuses({
      {"(N: size, M: size, A: f32[N, M]) -> f32", "sum 3 <= y < N, 3 <= x < M { A[y, x] }", "fuse y, x;",
       "N = 0, M = 0: y runs from 3 to 0, and x from 3 to 0"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "fuse y, x;", "M = 0: x has 0 iterations"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "fuse x, y;", "y is not directly inside x"},
      {rows, "gen y < N { sum x < M { A[y, x] } }", "fuse y, x;",
       "one of y and x is a reduction, and the other is not, or another"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "max y < N { sum x < M { A[y, x] } }", "fuse y, x;",
       "one of y and x is a reduction, and the other is not, or another"},
      {"(N: size, A: f32[N, N]) -> f32", "sum y < N { sum x < y { A[y, x] } }", "fuse y, x;",
       "the range of x depends on y"},
      {"(N: size, A: f32[N, N]) -> f32", "sum y < N { sum y <= x < N { A[y, x] } }", "fuse y, x;",
       "the range of x depends on y"},
      {matrix, "gen y < N { [y >= 1] gen x < M { 2.0 * A[y, x] } }", "fuse y, x;",
       "x is not directly inside y"},
      {"(N: size, A: f32[N, 3, 4]) -> f32[N, 3, 4]", "gen z < N, y < 3, x < 4 { A[z, y, x] }", "fuse z, x;",
       "x is not directly inside z"},
      {"(N: size, A: f32[N, 3, 4]) -> f32[N, 3, 4]", "gen z < N, y < 3, x < 4 { A[z, y, x] }",
       "fuse z, y into x;", "a loop inside is already called x"},
      {total, "sum k < N { A[k] }", "unroll k;", "the number of iterations of k is not constant: it is N"},
      {total, "sum k < N { A[k] }", "parallel k;",
       "race: N = 2, k = 0, k' = 1: iterations k = 0 and k' = 1 both contribute to one sum"},
      {total, "sum k < N { A[k] }", "vectorize k;",
       "race: N = 2, k = 0, k' = 1: iterations k = 0 and k' = 1 both contribute to one sum"},
  });
}

} // namespace atl::fuse_loops_test
