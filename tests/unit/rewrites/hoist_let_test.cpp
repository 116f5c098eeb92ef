// A temporary moves outwards; a loop that it depends on becomes a dimension of it.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::hoist_let_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("hoist_let applies") {
  applies({
      {"(N: size, M: size, A: f32[N, M], b: f32[M]) -> f32[N]",
       "gen y < N { let m = max x < M { b[x] }; sum x < M { A[y, x] - m } }", "compute m at root;",
       "let m = max x < M { b[x] }; gen y < N { sum x < M { A[y, x] - m } }"},
      {rows, "gen y < N { let m = max x < M { A[y, x] }; sum x < M { A[y, x] - m } }", "compute m at root;",
       "let m = gen m.y < N { max x < M { A[m.y, x] } }; gen y < N { sum x < M { A[y, x] - m[y] } }"},
      {matrix, "gen y < N { let t = gen c < M { 2.0 * A[y, c] }; gen x < M { t[x] + t[M - 1 - x] } }",
       "compute t at root;",
       "let t = gen t.y < N, c < M { 2.0 * A[t.y, c] }; gen y < N, x < M { t[y, x] + t[y, M - 1 - x] }"},
      {matrix, "gen y < N, x < M { let t = 2.0 * A[y, x]; t * t }", "compute t at y;",
       "gen y < N { let t = gen t.x < M { 2.0 * A[y, t.x] }; gen x < M { t[x] * t[x] } }"},
      {matrix, "gen y < N, x < M { let t = 2.0 * A[y, x]; let u = t * t; u + 1.0 }",
       "compute t at y; compute u at y;",
       R"(gen y < N { let t = gen t.x < M { 2.0 * A[y, t.x] }; let u = gen u.x < M { t[u.x] * t[u.x] };
          gen x < M { u[x] + 1.0 } })"},
      {matrix, "gen y < N, x < M { let t = 2.0 * A[y, x]; t * t }", "compute t at root;",
       "let t = gen t.y < N, t.x < M { 2.0 * A[t.y, t.x] }; gen y < N, x < M { t[y, x] * t[y, x] }"},
      {"(N: size, A: f32[N + 2]) -> f32[N]", "gen 2 <= y < N + 2 { let t = A[y] - A[y - 2]; t * t }",
       "compute t at root;",
       "let t = gen 2 <= t.y < N + 2 { A[t.y] - A[t.y - 2] }; gen 2 <= y < N + 2 { t[y - 2] * t[y - 2] }"},
      {vector, "gen y < N { [y >= 1] { let t = A[y] - A[y - 1]; t * t } }", "compute t at root;",
       "let t = gen t.y < N { [t.y >= 1] (A[t.y] - A[t.y - 1]) }; gen y < N { [y >= 1] t[y] * t[y] }"},
      {"(N: size, A: f32[N]) -> f32[N, N]", // reshapes that do nothing around it are gone
       R"(sink 0 { let d = sink 0 gen i < N { A[i] };
          gen y < N { let c = gen i < N { 2.0 * A[i] }; gen x < N { c[x] + d[y] } } })",
       "compute c at root;",
       R"(let c = gen i < N { 2.0 * A[i] };
          { let d = gen i < N { A[i] }; gen y < N, x < N { c[x] + d[y] } })"},
      {rows, "gen y < N { sum x < M { let t = 2.0 * A[y, x]; t * t } }", "compute t at root;",
       R"(let t = gen t.y < N, t.x < M { 2.0 * A[t.y, t.x] };
          gen y < N { sum x < M { t[y, x] * t[y, x] } })"},
      {rows, "gen y < N { 1.0 + sum x < M { let t = 2.0 * A[y, x]; t * t } }", "compute t at y;",
       "gen y < N { let t = gen t.x < M { 2.0 * A[y, t.x] }; 1.0 + sum x < M { t[x] * t[x] } }"},
      {rows, "gen y < N { 1.0 + sum x < M { let t = 2.0 * A[y, x]; t * t } }", "compute t at root;",
       R"(let t = gen t.y < N, t.x < M { 2.0 * A[t.y, t.x] };
          gen y < N { 1.0 + sum x < M { t[y, x] * t[y, x] } })"},
      {vector, "let b = gen i < N { let t = 2.0 * A[i]; t * t }; gen y < N { b[y] + b[N - 1 - y] }",
       "compute t at root;", R"(let t = gen t.i < N { 2.0 * A[t.i] };
          let b = gen i < N { t[i] * t[i] };
          gen y < N { b[y] + b[N - 1 - y] })"},
  });
}

TEST_CASE("hoist_let is refused") {
  refuses({
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] }", "compute b at root;",
       "b is outside all loops already"},
      {vector, "gen y < N { 2.0 * A[y] }", "compute A at root;", "A is not a temporary"},
      {vector, "gen y < N { let t = 2.0 * A[y]; let u = t * t; u + 1.0 }", "compute u at root;",
       "cannot move u out: u is computed from t"},
      {matrix,
       "gen y < N { let t = gen x < M { 2.0 * A[y, x] }; let u = gen x < M { t[x] }; gen x < M { u[x] } }",
       "compute u at y;", "cannot move u out: u is computed from t"},
      {"(N: size, i: i32, A: f32[N]) -> f32[N]",
       "gen y < N { select(i > 3, { let t = 2.0 * A[y]; t * t }, 1.0) }", "compute t at root;",
       "cannot move t out: it is used only where a select takes that branch"},
      {vector, "gen y < N { sum k < 1 { let t = gen j < y + 1 { 2.0 * A[j] }; sum j < y + 1 { t[j] } } }",
       "compute t at root;", "cannot move t out: its shape depends on y"},
  });
}

} // namespace atl::hoist_let_test
