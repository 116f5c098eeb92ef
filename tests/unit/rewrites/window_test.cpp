// The part of a tensor that one iteration reads, computed or copied where it is read.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::window_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("window applies") {
  applies({
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] * b[y] }", "compute b at y;",
       "gen y < N { let b = gen i < 1 { 2.0 * A[y + i] }; b[0] * b[0] }"},
      {"(N: size, A: f32[N + 2]) -> f32[N]",
       "let b = gen i < N + 2 { 2.0 * A[i] }; gen y < N { b[y] + b[y + 1] + b[y + 2] }", "compute b at y;",
       "gen y < N { let b = gen i < 3 { 2.0 * A[y + i] }; b[0] + b[y + 1 - y] + b[y + 2 - y] }"},
      {"(N: size, A: f32[N + 2]) -> f32[N]",
       "let b = gen i < N + 2 { 2.0 * A[i] }; truncr (cdiv(N, 4) * 4 - N) flatten gen o < cdiv(N, 4), p < 4 "
       "{ [o * 4 + p < N] (b[o * 4 + p] + b[o * 4 + p + 2]) }",
       "compute b at o;", R"(truncr (cdiv(N, 4) * 4 - N) flatten gen o < cdiv(N, 4) {
            let b = gen i < 6 { [o * 4 + i < N + 2] 2.0 * A[o * 4 + i] };
            gen p < 4 { [o * 4 + p < N] (b[o * 4 + p - o * 4] + b[o * 4 + p + 2 - o * 4]) }
          })"},
      {"(N: size, A: f32[N]) -> f32[N]",
       "let b = gen i < N { 2.0 * A[i] }; gen y < N { sum k < 3 { [0 <= y + k - 1 < N] b[y + k - 1] } }",
       "compute b at y;", R"(gen y < N {
            let b = gen i < 3 { [0 <= y - 1 + i and y - 1 + i < N] 2.0 * A[y - 1 + i] };
            sum k < 3 { [0 <= y + k - 1 and y + k - 1 < N] b[y + k - 1 - (y - 1)] }
          })"},
      {"(N: size, A: f32[N]) -> f32[N]",
       "let b = gen i < N { 2.0 * A[i] }; gen y < N { sum k < 3 { b[min(max(y + k - 1, 0), N - 1)] } }",
       "compute b at y;", R"(gen y < N {
            let b = gen i < min(y + 1, N - 1) + 1 - max(y - 1, 0) {
              2.0 * A[max(y - 1, 0) + i]
            };
            sum k < 3 { b[min(max(y + k - 1, 0), N - 1) - max(y - 1, 0)] }
          })"},
      {"(N: size, A: f32[3 * N]) -> f32[N]",
       "let b = gen i < 3 * N { 2.0 * A[i] }; gen y < N { sum k < 3 { b[3 * y + 2 - k] } }",
       "compute b at y;",
       "gen y < N { let b = gen i < 3 { 2.0 * A[y * 3 + i] }; sum k < 3 { b[3 * y + 2 - k - y * 3] } }"},
      {"(N: size, A: f32[N]) -> f32[2 * N]",
       "let b = gen i < N { 2.0 * A[i] }; flatten gen o < N, p < 2 { b[(2 * o + p) / 2] }", "compute b at o;",
       "flatten gen o < N { let b = gen i < 1 { 2.0 * A[o + i] }; gen p < 2 { b[(2 * o + p) / 2 - o] } }"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] + b[y, M - 1 - x] }",
       "compute b at y;", R"(gen y < N {
            let b = gen i < 1, j < M { 2.0 * A[y + i, j] };
            gen x < M { b[0, x] + b[0, M - 1 - x] }
          })"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] + b[y, M - 1 - x] }",
       "compute b at x;", R"(gen y < N, x < M {
            let b = gen i < 1, j < max(x, M - x - 1) + 1 - min(x, M - x - 1) {
              [min(x, M - x - 1) + j < M]
                2.0 * A[y + i, min(x, M - x - 1) + j]
            };
            b[0, x - min(x, M - x - 1)] + b[0, M - 1 - x - min(x, M - x - 1)]
          })"},
      {rows, "let b = gen i < N { max j < M { A[i, j] } }; gen y < N { sum x < M { A[y, x] - b[y] } }",
       "compute b at y;",
       "gen y < N { let b = gen i < 1 { max j < M { A[y + i, j] } }; sum x < M { A[y, x] - b[0] } }"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N { [y >= 1] gen x < M { b[y - 1, x] } }",
       "compute b at y;", R"(gen y < N {
            let b = gen i < 1, j < M { [0 <= y - 1 + i and y - 1 + i < N] 2.0 * A[y - 1 + i, j] };
            [y >= 1] gen x < M { b[0, x] }
          })"},
      {vector, "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { a[i] + 1.0 }; gen y < N { b[y] }",
       "compute b at y; compute a at y;", R"(gen y < N {
            let a = gen i < 1 { 2.0 * A[y + i] };
            let b = gen i < 1 { a[y + i - y] + 1.0 };
            b[0]
          })"},
      {matrix, "gen y < N { let b = gen j < M { 2.0 * A[y, j] }; gen x < M { b[x] + b[x] } }",
       "compute b at x;", "gen y < N, x < M { let b = gen j < 1 { 2.0 * A[y, x + j] }; b[0] + b[0] }"},
      {vector, "gen y < N { A[y] * A[y] }", "stage A at y as c;",
       "gen y < N { let c = gen c0 < 1 { A[y + c0] }; c[0] * c[0] }"},
      // a loop has no name of an input or a result
      {"(N: size, A: f32[N]) -> (c0: f32[N])", "gen y < N { A[y] * A[y] }", "stage A at y as c;",
       "gen y < N { let c = gen c0_2 < 1 { A[y + c0_2] }; c[0] * c[0] }"},
      {matrix, "gen y < N, x < M { A[y, x] + A[y, M - 1 - x] }", "stage A at y as line;", R"(gen y < N {
            let line = gen c0 < 1, c1 < M { A[y + c0, c1] };
            gen x < M { line[0, x] + line[0, M - 1 - x] }
          })"},
      {"(M: size, N: size, A: f32[M, N], B: f32[N]) -> f32[M]", "gen i < M { sum k < N { A[i, k] * B[k] } }",
       "stage B at i as c;", "gen i < M { let c = gen c0 < N { B[c0] }; sum k < N { A[i, k] * c[k] } }"},
      {"(M: size, N: size, A: f32[M, N], B: f32[N]) -> f32[M]", "gen i < M { sum k < N { A[i, k] * B[k] } }",
       "stage A at k as c;",
       "gen i < M { sum k < N { let c = gen c0 < 1, c1 < 1 { A[i + c0, k + c1] }; c[0, 0] * B[k] } }"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] * b[y] }", "stage b at y as c;",
       "let b = gen i < N { 2.0 * A[i] }; gen y < N { let c = gen i < 1 { b[y + i] }; c[0] * c[0] }"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] * b[y] }", "stage b at y as c; inline b;",
       "gen y < N { let c = gen i < 1 { 2.0 * A[y + i] }; c[0] * c[0] }"},
      {"(N: size, A: f32[N, N]) -> f32[N]", "gen y < N { A[y, 0] + A[0, y] }", "stage A at y as c;",
       "gen y < N { let c = gen c0 < y + 1, c1 < y + 1 { A[c0, c1] }; c[y, 0] + c[0, y] }"},
  });
}

TEST_CASE("window is refused") {
  refuses({
      {vector,
       "let b = gen i < N { 2.0 * A[i] }; concat(gen y < N / 2 { b[y] }, gen N / 2 <= z < N { b[z] })",
       "compute b at y;", "b is also read outside the loop y"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { A[y, x] }", "compute b at y;",
       "the loop does not read b"},
      {vector, "let b = concat(gen i < 0 { 1.0 }, A); gen y < N { b[y] }", "compute b at y;",
       "b is not a nest of loops: it has a concat"},
      {vector, "gen y < N { 2.0 * A[y] }", "compute A at y;", "A is not a temporary"},
      {vector, "gen y < N { 2.0 * A[y] }", "compute q at y;", "q is not a temporary"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] }", "compute b at i in b;",
       "b is also read outside the loop i"},
      {vector, "gen y < N { 2.0 * A[y] }", "stage q at y;", "q is no tensor of this kernel"},
      {vector, "gen y < N { 2.0 * A[y] }", "stage A at y as A;", "A is already a name of the program"},
      {vector, "gen y < N { 2.0 * A[y] }", "stage A at y as y;", "y is already a name of the program"},
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N]", "gen y < N { 2.0 * A[y] }", "stage B at y;",
       "the loop does not read B"},
      {vector, "gen y < N { let t = 2.0 * A[y]; t * t }", "stage t at y;",
       "t is computed inside that loop; a copy of it belongs further in"},
  });
}

} // namespace atl::window_test
