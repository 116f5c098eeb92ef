// Loops move outwards.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::reorder_loops_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("reorder_loops applies") {
  applies({
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "reorder x, y;",
       "transpose gen x < M, y < N { 2.0 * A[y, x] }"},
      {matrix, "gen y < N, x < M { 2.0 * A[y, x] }", "reorder y, x;", "gen y < N, x < M { 2.0 * A[y, x] }"},
      {"(N: size, M: size, A: f32[N + 1, M + 2]) -> f32[N, M]",
       "gen 1 <= y < N + 1, 2 <= x < M + 2 { A[y, x] - A[y - 1, x - 2] }", "reorder x, y;",
       "transpose gen 2 <= x < M + 2, 1 <= y < N + 1 { A[y, x] - A[y - 1, x - 2] }"},
      {"(N: size, M: size, A: f32[N, M, 3]) -> f32[N, M, 3]", "gen z < N, y < M, x < 3 { A[z, y, x] }",
       "reorder x, y, z;", R"(sink 2 sink 2 transpose raise 2 raise 2 transpose gen x < 3 {
            transpose gen y < M, z < N { A[z, y, x] }
          })"},
      {"(N: size, M: size, A: f32[N, M, 3]) -> f32[N, M, 3]", "gen z < N, y < M, x < 3 { A[z, y, x] }",
       "reorder x, z;",
       "sink 2 sink 2 transpose raise 2 raise 2 transpose gen x < 3, z < N, y < M { A[z, y, x] }"},
      {rows, "gen y < N { sum x < M { A[y, x] } }", "reorder x, y;", "sum x < M { gen y < N { A[y, x] } }"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[M]", "sum y < N { gen x < M { A[y, x] } }", "reorder x, y;",
       "gen x < M { sum y < N { A[y, x] } }"},
      {matrix, "gen y < N { [y >= 1] gen x < M { A[y - 1, x] } }", "reorder x, y;",
       "transpose gen x < M, y < N { [y >= 1] A[y - 1, x] }"},
      {"(N: size, M: size, A: f32[N, M, 4]) -> f32[N, M * 4]",
       "gen y < N { flatten gen x < M, z < 4 { A[y, x, z] } }", "reorder x, y, z;",
       "transpose flatten raise 2 raise 2 transpose gen x < M, y < N, z < 4 { A[y, x, z] }"},
      {matrix,
       "gen y < N { truncr (cdiv(M, 4) * 4 - M) flatten gen o < cdiv(M, 4), p < 4 { [o * 4 + p < M] A[y, o * "
       "4 + p] } }",
       "reorder o, y, p;",
       R"(transpose truncr (cdiv(M, 4) * 4 - M) flatten raise 2 raise 2 transpose gen o < cdiv(M, 4),
              y < N,
              p < 4 {
            [o * 4 + p < M] A[y, o * 4 + p]
          })"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, M + 1]", "gen y < N { padl 1 gen x < M { A[y, x] } }",
       "reorder x, y;", "transpose padl 1 gen x < M, y < N { A[y, x] }"},
      {"(N: size, M: size, A: f32[N, M, 3]) -> f32[N, 3, M]",
       "gen z < N { transpose gen y < M, x < 3 { A[z, y, x] } }", "reorder y, z;",
       "sink 2 sink 2 transpose raise 2 raise 2 transpose gen y < M, z < N, x < 3 { A[z, y, x] }"},
      {vector, "let b = sum k < 3 { gen i < N { f32(k) * A[i] } }; gen y < N { b[y] }", "reorder i, k in b;",
       "let b = gen i < N { sum k < 3 { f32(k) * A[i] } }; gen y < N { b[y] }"},
  });
}

TEST_CASE("reorder_loops applies, up to rounding") {
  applies_up_to_rounding({
      {"(N: size, M: size, A: f32[N, M]) -> f32", "sum y < N, x < M { A[y, x] }", "reorder x, y;",
       "sum x < M, y < N { A[y, x] }"},
      {rows, "gen y < N { sum o < cdiv(M, 4), p < 4 { [o * 4 + p < M] A[y, o * 4 + p] } }",
       "reorder p, y, o;",
       "sum p < 4 { gen y < N { sum o < cdiv(M, 4) { [o * 4 + p < M] A[y, o * 4 + p] } } }"},
  });
}

TEST_CASE("reorder_loops is refused") {
  refuses({
      {"(N: size, A: f32[N, N]) -> f32[N]", "gen y < N { sum x < y { A[y, x] } }", "reorder x, y;",
       "cannot move x out: its range depends on y"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "max y < N { sum x < M { A[y, x] } }", "reorder x, y;",
       "cannot move x out: sum x does not commute with max y"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, M + 1]",
       "gen y < N { concat(gen a < 1 { 1.0 }, gen x < M { A[y, x] }) }", "reorder x, y;",
       "cannot move x out: it is in one part of a concat"},
      {rows, "gen y < N { 2.0 * sum x < M { A[y, x] } }", "reorder x, y;",
       "cannot move x out: it is inside a scalar expression"},
      {matrix, "gen y < N { let b = sum k < M { A[y, k] }; gen x < M { b * A[y, x] } }", "reorder x, y;",
       "cannot move x out: the temporary b is computed between the loops; reorder first, and say where to "
       "compute it then"},
      {"(N: size, A: f32[N]) -> f32[N, N]", "gen y < N { padr y gen x < N - y { A[x] } }", "reorder x, y;",
       "cannot move x out: its range depends on y"},
      // where the guard does not hold, the minimum has no term, and then one without terms
      {"(N: size, M: size, A: f32[N, M]) -> f32[M]",
       "min i < N { gen y < M { [y >= 2] max k < 3 { f32(k) * A[i, y] } } }", "reorder k, y;",
       "N = 1, i_3 = 0: the min of the "},
      {matrix, "gen y < N, x < M { A[y, x] }", "reorder y, y;", "y is named twice"},
      {matrix, "gen y < N, x < M { A[y, x] }", "reorder y, z;", "there is no loop z"},
      {vector, "concat(gen y < N / 2 { A[y] }, gen N / 2 <= z < N { A[z] })", "reorder y, z;",
       "z is not inside y"},
  });
}

} // namespace atl::reorder_loops_test
