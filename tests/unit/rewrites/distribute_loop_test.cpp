// A loop around two parts becomes a loop in each.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::distribute_loop_test {

using namespace atl::testing;

namespace {

const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";

} // namespace

TEST_CASE("distribute_loop applies") {
  applies({
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N, 2]",
       "gen y < N { concat(gen a < 1 { A[y] }, gen b < 1 { B[y] }) }", "distribute y;",
       "transpose concat(transpose gen y < N, a < 1 { A[y] }, transpose gen y.r < N, b < 1 { B[y.r] })"},
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N, 2]",
       "gen y < N { concat(gen a < 1 { A[y] }, gen b < 1 { B[y] }) }", "distribute y into p, q;",
       "transpose concat(transpose gen p < N, a < 1 { A[p] }, transpose gen q < N, b < 1 { B[q] })"},
      {"(N: size, M: size, A: f32[N + 1, M]) -> f32[N, 2 * M]",
       "gen 1 <= y < N + 1 { concat(A[y], A[y - 1]) }", "distribute y into y, z;", R"(transpose concat(
            transpose gen 1 <= y < N + 1, i1 < M { A[y, i1] },
            transpose gen 1 <= z < N + 1, i1 < M { A[z - 1, i1] }
          ))"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, 3, M]",
       "gen y < N { concat(gen a < 1, x < M { A[y, x] }, gen b < 2, x < M { A[y, x] * 2.0 }) }",
       "distribute y;", R"(transpose concat(
            transpose gen y < N, a < 1, x < M { A[y, x] },
            transpose gen y.r < N, b < 2, x < M { A[y.r, x] * 2.0 }
          ))"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, 2 * M]",
       "gen y < N { concat(gen a < M { let s = A[y, a] * 2.0; s + 1.0 }, gen b < M { A[y, b] }) }",
       "distribute y; compute s at root;", R"(let s = gen s.y < N, s.a < M { A[s.y, s.a] * 2.0 };
          transpose concat(
            transpose gen y < N, a < M { s[y, a] + 1.0 },
            transpose gen y.r < N, b < M { A[y.r, b] }
          ))"},
  });
}

TEST_CASE("distribute_loop is refused") {
  refuses({
      {matrix, "gen y < N, x < M { A[y, x] }", "distribute y;", "directly inside y there is no concat"},
      {"(N: size, A: f32[N]) -> f32[2]", "sum y < N { concat(gen a < 1 { A[y] }, gen b < 1 { A[y] }) }",
       "distribute y;", "the terms of y are tensors"},
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N, 2]",
       "gen y < N { concat(gen a < 1 { A[y] }, gen b < 1 { B[y] }) }", "distribute y into a, z;",
       "a loop inside is already called a"},
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N, 2]",
       "gen y < N { [y >= 1] concat(gen a < 1 { A[y] }, gen b < 1 { B[y] }) }", "distribute y;",
       "directly inside y there is no concat"},
  });
}

} // namespace atl::distribute_loop_test
