// The order in which a temporary is stored.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::change_layout_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";

} // namespace

TEST_CASE("change_layout applies") {
  applies({
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] + b[N - 1 - y, x] }",
       "layout b to d1, d0;", R"(let b = gen b.p0 < M, b.p1 < N { 2.0 * A[b.p1, b.p0] };
          gen y < N, x < M { b[x, y] + b[x, N - 1 - y] })"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] + b[N - 1 - y] }",
       "layout b to d0 / 4, d0 % 4;",
       R"(let b = gen b.p0 < cdiv(N, 4), b.p1 < 4 { [b.p0 * 4 + b.p1 < N] 2.0 * A[b.p0 * 4 + b.p1] };
          gen y < N { b[y / 4, y % 4] + b[(N - 1 - y) / 4, (N - 1 - y) % 4] })"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] + b[N - 1 - y] }",
       "layout b to d0 % 4, d0 / 4;",
       R"(let b = gen b.p0 < 4, b.p1 < cdiv(N, 4) { [b.p0 + b.p1 * 4 < N] 2.0 * A[b.p0 + b.p1 * 4] };
          gen y < N { b[y % 4, y / 4] + b[(N - 1 - y) % 4, (N - 1 - y) / 4] })"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d1 / 8, d0, d1 % 8;", R"(let b = gen b.p0 < cdiv(M, 8), b.p1 < N, b.p2 < 8 {
            [b.p0 * 8 + b.p2 < M] 2.0 * A[b.p1, b.p0 * 8 + b.p2]
          };
          gen y < N, x < M { b[x / 8, y, x % 8] })"},
      {"(N: size, A: f32[4 * N]) -> f32[4 * N]",
       "let b = gen i < 4 * N { 2.0 * A[i] }; gen y < 4 * N { b[y] }", "layout b to d0 % 4, d0 / 4;",
       R"(let b = gen b.p0 < 4, b.p1 < N { [b.p0 + b.p1 * 4 < N * 4] 2.0 * A[b.p0 + b.p1 * 4] };
          gen y < 4 * N { b[y % 4, y / 4] })"},
      {matrix, "gen y < N { let b = gen i < M { 2.0 * A[y, i] }; gen x < M { b[x] + b[M - 1 - x] } }",
       "layout b to d0 / 2, d0 % 2;", R"(gen y < N {
            let b = gen b.p0 < cdiv(M, 2), b.p1 < 2 {
              [b.p0 * 2 + b.p1 < M] 2.0 * A[y, b.p0 * 2 + b.p1]
            };
            gen x < M { b[x / 2, x % 2] + b[(M - 1 - x) / 2, (M - 1 - x) % 2] }
          })"},
      {matrix, "let b = transpose gen j < M, i < N { [i >= 1] A[i - 1, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d1, d0;",
       "let b = gen b.p0 < M, b.p1 < N { [b.p1 >= 1] A[b.p1 - 1, b.p0] }; gen y < N, x < M { b[x, y] }"},
      {"(M: size, N: size, B: f32[M, N], A: f32[M]) -> f32[N]", "gen j < N { sum k < M { A[k] * B[k, j] } }",
       "pack B at j as c to d1, d0;",
       "gen j < N { let c = gen c.p0 < 1, c.p1 < M { B[c.p1, j + c.p0] }; sum k < M { A[k] * c[0, k] } }"},
  });
}

TEST_CASE("change_layout is refused") {
  refuses({
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] }",
       "stage A at i in b as c; layout b to d0 / 4, d0 % 4;",
       "b has temporaries of its own; change its layout before those are made"},
      {matrix, "gen y < N, x < M { A[y, x] }", "layout A to d1, d0;", "A is not a temporary"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }", "layout b to d1;",
       "each dimension of b is in the new layout once, or once as quotient and as remainder"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d0, d1, d0;",
       "each dimension of b is in the new layout once, or once as quotient and as remainder"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d0 / 4, d1, d0 % 8;",
       "each dimension of b is in the new layout once, or once as quotient and as remainder"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d0 / N, d1, d0 % N;", "d0 / N is no dimension of the new layout"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d0 / 0, d1, d0 % 0;", "d0 / 0 is no dimension of the new layout"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d2, d0;", "d2 is no dimension of the new layout"},
      {matrix, "let b = gen i < N, j < M { 2.0 * A[i, j] }; gen y < N, x < M { b[y, x] }",
       "layout b to d1 + 1, d0;", "d1 + 1 is no dimension of the new layout"},
      {vector, "let b = concat(gen i < 0 { 1.0 }, A); gen y < N { b[y] }", "layout b to d0 / 4, d0 % 4;",
       "b is not a nest of loops: it has a concat"},
  });
}

} // namespace atl::change_layout_test
