// The one cell that an iteration reads, as a temporary.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::bind_access_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("bind_access applies") {
  applies({
      {vector, "gen y < N { A[y] * A[y] }", "bind A at y as c;", "gen y < N { let c = A[y]; c * c }"},
      {"(W: size, R: size, x: f32[W + R], w: f32[R]) -> f32[W]",
       "gen p < W { sum r < R { w[r] * x[p + r] } }", "bind x at r as c;",
       "gen p < W { sum r < R { let c = x[p + r]; w[r] * c } }"},
      {"(W: size, R: size, x: f32[W], w: f32[R]) -> f32[W]",
       "gen p < W { sum r < R { [p + r < W] w[r] * x[p + r] } }", "bind x at r as c; compute c at root;",
       R"(let c = gen c.p < W, c.r < R { [c.p + c.r < W] x[c.p + c.r] };
          gen p < W { sum r < R { [p + r < W] w[r] * c[p, r] } })"},
      {"(N: size, M: size, A: f32[N, M], b: f32[N]) -> f32[N, M]", "gen y < N, x < M { b[y] * A[y, x] }",
       "bind b at y as c;", "gen y < N { let c = b[y]; gen x < M { c * A[y, x] } }"},
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] * b[y] }", "bind b at y as c;",
       "let b = gen i < N { 2.0 * A[i] }; gen y < N { let c = b[y]; c * c }"},
      {"(s: f32, N: size, A: f32[N]) -> f32[N]", "gen y < N { s * A[y] }", "bind s at y as c;",
       "gen y < N { let c = s; c * A[y] }"},
  });
}

TEST_CASE("bind_access is refused") {
  refuses({
      {vector, "gen y < N { A[y] * A[N - 1 - y] }", "bind A at y as c;",
       "the loop y reads several cells of A"},
      {rows, "gen y < N { sum x < M { A[y, x] } }", "bind A at y as c;",
       "which cell of A is read depends on a loop inside y"},
      {"(N: size, A: f32[N], B: f32[N]) -> f32[N]", "gen y < N { A[y] }", "bind B at y as c;",
       "the loop y does not read B"},
      {vector, "gen y < N { let t = A[y] * 2.0; t * t }", "bind t at y as c;",
       "t is computed inside that loop; what is read of it is known further in"},
      {"(N: size, M: size, A: f32[N], b: f32[M]) -> f32[M]",
       "gen y < M { sum k < M { [y < N] b[k] * A[y] } }", "bind A at y as c;",
       "N = 0, M = 1, y = 0: index 0 of A is read, which has 0"},
      {vector, "gen y < N { A[y] }", "bind A at y as N;", "N is already a name of the program"},
      {vector, "gen y < N { A[y] }", "bind q at y as c;", "q is no tensor of this kernel"},
  });
}

} // namespace atl::bind_access_test
