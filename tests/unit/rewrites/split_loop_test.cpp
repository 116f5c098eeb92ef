// Loops in tiles.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::split_loop_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string total = "(N: size, A: f32[N]) -> f32";

} // namespace

TEST_CASE("split_loop applies") {
  applies({
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4;",
       R"(truncr (cdiv(N, 4) * 4 - N) flatten gen y.o < cdiv(N, 4), y.i < 4 {
            [y.o * 4 + y.i < N] 2.0 * A[y.o * 4 + y.i]
          })"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4 into tile, lane tail guard;",
       R"(truncr (cdiv(N, 4) * 4 - N) flatten gen tile < cdiv(N, 4), lane < 4 {
            [tile * 4 + lane < N] 2.0 * A[tile * 4 + lane]
          })"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 1;",
       "flatten gen y.o < N, y.i < 1 { 2.0 * A[y.o + y.i] }"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4 tail cut;", R"(concat(
            flatten gen y.o < N / 4, y.i < 4 { 2.0 * A[y.o * 4 + y.i] },
            gen N / 4 * 4 <= y.t < N { 2.0 * A[y.t] }
          ))"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 100;",
       R"(truncr (cdiv(N, 100) * 100 - N) flatten gen y.o < cdiv(N, 100), y.i < 100 {
            [y.o * 100 + y.i < N] 2.0 * A[y.o * 100 + y.i]
          })"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 100 tail cut;", R"(concat(
            flatten gen y.o < N / 100, y.i < 100 { 2.0 * A[y.o * 100 + y.i] },
            gen N / 100 * 100 <= y.t < N { 2.0 * A[y.t] }
          ))"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 1 + N;",
       R"(truncr (cdiv(N, 1 + N) * (1 + N) - N) flatten gen y.o < cdiv(N, 1 + N), y.i < 1 + N {
            [y.o * (1 + N) + y.i < N] 2.0 * A[y.o * (1 + N) + y.i]
          })"},
      {"(N: size, A: f32[N]) -> f32[N] where N % 4 == 0", "gen y < N { 2.0 * A[y] }", "split y by 4;",
       "flatten gen y.o < cdiv(N, 4), y.i < 4 { 2.0 * A[y.o * 4 + y.i] }"},
      {"(N: size, A: f32[N]) -> f32[N] where N % 8 == 0", "gen y < N { 2.0 * A[y] }",
       "split y by 4 tail exact;", "flatten gen y.o < N / 4, y.i < 4 { 2.0 * A[y.o * 4 + y.i] }"},
      {"(N: size, K: size, A: f32[N]) -> f32[N] where K >= 1", "gen y < N { 2.0 * A[y] }", "split y by K;",
       R"(truncr (cdiv(N, K) * K - N) flatten gen y.o < cdiv(N, K), y.i < K {
            [y.o * K + y.i < N] 2.0 * A[y.o * K + y.i]
          })"},
      {"(N: size, K: size, A: f32[N]) -> f32[N] where K >= 1", "gen y < N { 2.0 * A[y] }",
       "split y by K tail cut;", R"(concat(
            flatten gen y.o < N / K, y.i < K { 2.0 * A[y.o * K + y.i] },
            gen N / K * K <= y.t < N { 2.0 * A[y.t] }
          ))"},
      {"(A: f32[12]) -> f32[12]", "gen y < 12 { 2.0 * A[y] }", "split y by 4;",
       "flatten gen y.o < 3, y.i < 4 { 2.0 * A[y.o * 4 + y.i] }"},
      {"(A: f32[3]) -> f32[3]", "gen y < 3 { 2.0 * A[y] }", "split y by 8;",
       "truncr 5 flatten gen y.o < 1, y.i < 8 { [y.o * 8 + y.i < 3] 2.0 * A[y.o * 8 + y.i] }"},
      {"(A: f32[3]) -> f32[3]", "gen y < 3 { 2.0 * A[y] }", "split y by 8 tail cut;",
       "concat(flatten gen y.o < 0, y.i < 8 { 2.0 * A[y.o * 8 + y.i] }, gen y.t < 3 { 2.0 * A[y.t] })"},
      {"(N: size, A: f32[N + 2]) -> f32[N]", "gen 2 <= y < N + 2 { A[y] - A[y - 2] }", "split y by 4;",
       R"(truncr (cdiv(N, 4) * 4 - N) flatten gen y.o < cdiv(N, 4), y.i < 4 {
            [2 + (y.o * 4 + y.i) < N + 2] (A[2 + (y.o * 4 + y.i)] - A[2 + (y.o * 4 + y.i) - 2])
          })"},
      {"(N: size, A: f32[N + 2]) -> f32[N]", "gen 2 <= y < N + 2 { A[y] - A[y - 2] }",
       "split y by 4 tail cut;", R"(concat(
            flatten gen y.o < N / 4, y.i < 4 { A[2 + (y.o * 4 + y.i)] - A[2 + (y.o * 4 + y.i) - 2] },
            gen 2 + N / 4 * 4 <= y.t < N + 2 { A[y.t] - A[y.t - 2] }
          ))"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "split y by 4;",
       R"(truncr (cdiv(N, 4) * 4 - N) flatten gen y.o < cdiv(N, 4), y.i < 4 {
            [y.o * 4 + y.i < N] gen x < M { 2.0 * A[y.o * 4 + y.i, x] }
          })"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "split x by 4 tail cut;", R"(gen y < N {
            concat(
              flatten gen x.o < M / 4, x.i < 4 { 2.0 * A[y, x.o * 4 + x.i] },
              gen M / 4 * 4 <= x.t < M { 2.0 * A[y, x.t] }
            )
          })"},
      {matrix, "gen y < N { let b = gen x < M { 2.0 * A[y, x] }; gen x < M { b[x] + b[M - 1 - x] } }",
       "split y by 4 tail cut;", R"(concat(
            flatten gen y.o < N / 4, y.i < 4 {
              let b = gen x < M { 2.0 * A[y.o * 4 + y.i, x] };
              gen x < M { b[x] + b[M - 1 - x] }
            },
            gen N / 4 * 4 <= y.t < N {
              let b_2 = gen x < M { 2.0 * A[y.t, x] };
              gen x < M { b_2[x] + b_2[M - 1 - x] }
            }
          ))"},
      {"(N: size, A: f32[N]) -> f32[N] where N >= 4", "gen y < N { 2.0 * A[y] }", "split y by 4 tail shift;",
       "overlap N gen y.o < cdiv(N, 4), y.i < 4 { 2.0 * A[min(y.o * 4, N - 4) + y.i] }"},
      {"(N: size, A: f32[N + 2]) -> f32[N] where N >= 3", "gen 2 <= y < N + 2 { A[y] - A[y - 2] }",
       "split y by 3 tail shift;", R"(overlap N gen y.o < cdiv(N, 3), y.i < 3 {
            A[2 + (min(y.o * 3, N - 3) + y.i)] - A[2 + (min(y.o * 3, N - 3) + y.i) - 2]
          })"},
      {vector, "let b = gen y < N { 2.0 }; gen i < N { b[i] * A[i] }", "split y in b by 4 tail pad;",
       "let b = flatten gen y.o < cdiv(N, 4), y.i < 4 { 2.0 }; gen i < N { b[i] * A[i] }"},
      {"(N: size, A: f32[N + 7]) -> f32[N]", "let b = gen y < N { 2.0 * A[y] }; gen i < N { b[N - 1 - i] }",
       "split y in b by 8 tail pad; compute b at i;",
       R"(gen i < N {
            let b = gen c0 < 1 { 2.0 * A[(N - i - 1 + c0) / 8 * 8 + (N - i - 1 + c0) % 8] };
            b[N - 1 - i - (N - i - 1)]
          })"},
      {total, "sum k < N { A[k] }", "split k by 4 tail cut;", R"(sum unrolled k.c < 2 {
            sum k.o < cdiv(k.c * N + N / 4 * 4 - k.c * (N / 4) * 8, 4), k.i < 4 {
              [k.c * (N / 4 * 4) + (k.o * 4 + k.i) < N / 4 * 4 + k.c * (N - N / 4 * 4)]
                A[k.c * (N / 4 * 4) + (k.o * 4 + k.i)]
            }
          })"},
      {total, "sum k < N { A[k] }", "split k by 4 into tile, k;",
       "sum tile < cdiv(N, 4), k < 4 { [tile * 4 + k < N] A[tile * 4 + k] }"},
      {total, "sum k < N { A[k] }", "split k by 4 into k, lane;",
       "sum k < cdiv(N, 4), lane < 4 { [k * 4 + lane < N] A[k * 4 + lane] }"},
      {total, "sum k < N { A[k] }", "split k by 4;",
       "sum k.o < cdiv(N, 4), k.i < 4 { [k.o * 4 + k.i < N] A[k.o * 4 + k.i] }"},
      {total, "max 1 <= k < N { A[k] - A[k - 1] }", "split k by 4;", R"(max k.o < cdiv(N - 1, 4), k.i < 4 {
            [1 + (k.o * 4 + k.i) < N] (A[1 + (k.o * 4 + k.i)] - A[1 + (k.o * 4 + k.i) - 1])
          })"},
      {"(N: size, A: f32[4 * N]) -> f32", "sum k < 4 * N { A[k] }", "split k by 4 tail exact;",
       "sum k.o < N, k.i < 4 { A[k.o * 4 + k.i] }"},
      {vector, "gen y < N { sum k < y { A[k] } }", "split k by 4;",
       "gen y < N { sum k.o < cdiv(y, 4), k.i < 4 { [k.o * 4 + k.i < y] A[k.o * 4 + k.i] } }"},
      {total, "sum k < N { [k >= 1] A[k - 1] * A[k] }", "split k by N + 1;",
       R"(sum k.o < cdiv(N, N + 1), k.i < N + 1 {
            [k.o * (N + 1) + k.i < N] [k.o * (N + 1) + k.i >= 1]
                A[k.o * (N + 1) + k.i - 1] * A[k.o * (N + 1) + k.i]
          })"},
  });
}

TEST_CASE("split_loop is refused") {
  refuses({
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 0;", "N = 0: the factor is 0"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by -3;", "N = 0: the factor is -3"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by N;", "N = 0: the factor is 0"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by N - 2 tail cut;", "N = 0: the factor is -2"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4 tail exact;",
       "N = 1: y has 1 iterations, and 4 does not divide that"},
      {"(A: f32[3]) -> f32[3]", "gen y < 3 { 2.0 * A[y] }", "split y by 8 tail exact;",
       "y has 3 iterations, and 8 does not divide that"},
      {"(N: size, A: f32[N]) -> f32[N] where N % 6 == 0", "gen y < N { 2.0 * A[y] }",
       "split y by 4 tail exact;", "N = 6: y has 6 iterations, and 4 does not divide that"},
      {matrix, "gen y < N { gen x < M { A[y, x] } }", "split y by 4 into x, z;",
       "a loop inside is already called x"},
      {matrix, "gen y < N { gen x < M { A[y, x] } }", "split x by 4 into y, z;",
       "a loop y would be inside another loop y"},
      {matrix, "gen y < N { gen x < M { A[y, x] } }", "split y by 4 into z, z;",
       "a loop inside is already called z"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4 tail shift;",
       "N = 0: y has 0 iterations, not enough for one tile"},
      {total, "sum k < N { A[k] }", "split k by 1 tail shift;", "tiles of a reduction cannot overlap"},
      {total, "sum k < N { A[k] }", "split k by 4 tail pad;", "a reduction cannot be padded"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by 4 tail pad;",
       "y is not a loop over the cells of a temporary"},
      {vector, "let b = gen y < N { 2.0 * A[y] }; gen i < N { b[i] }", "split y in b by 4 tail pad;",
       "N = 1, y.o = 0, y.i = 1: the last tile of y reads index 1 of A, which has 1"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by y;",
       "y is not known there: it is neither a size nor a loop around it"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by q;",
       "q is not known there: it is neither a size nor a loop around it"},
      {vector, "gen y < N { 2.0 * A[y] }", "split y by A;",
       "A is not known there: it is neither a size nor a loop around it"},
  });
}

} // namespace atl::split_loop_test
