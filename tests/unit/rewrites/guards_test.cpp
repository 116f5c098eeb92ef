// Guards that always hold vanish, nested ones become one, indices become simple.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::guards_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";

} // namespace

TEST_CASE("guards applies") {
  applies({
      {vector, "gen y < N { [y < N] A[y] }", "simplify;", "gen y < N { A[y] }"},
      {vector, "gen y < N { [y >= 1] [y >= 2] A[y - 2] }", "simplify;",
       "gen y < N { [y >= 1 and y >= 2] A[y - 2] }"},
      {vector, "gen y < N { [y >= 2] [y >= 1] A[y - 2] }", "simplify;", "gen y < N { [y >= 2] A[y - 2] }"},
      {vector, "gen y < N { [y >= 1] [y + 1 < N] [y < N] A[y - 1] * A[y + 1] }", "simplify;",
       "gen y < N { [y >= 1 and y + 1 < N] A[y - 1] * A[y + 1] }"},
      {vector, "gen y < N { A[y + 1 - 1] }", "simplify;", "gen y < N { A[y] }"},
      {"(N: size, M: size, B: f32[M]) -> f32[N]", "gen y < N { sum k < M { [k == y % max(M, 1)] B[k] } }",
       "simplify;", "gen y < N { sum k < M { [k == y % M] B[k] } }"},
      // The prover does not decide that this is always so.
      {"(N: size, A: f32[N]) -> f32[N] where N <= 1000", "gen y < N { [(y * y * y + y * 2) % 3 == 0] A[y] }",
       "simplify;", "gen y < N { [(y * y * y + y * 2) % 3 == 0] A[y] }"},
      {"(N: size, A: f32[4 * N]) -> f32[N]",
       "gen y < N { sum k < 4 { A[(4 * y + k) / 4 * 4 + (4 * y + k) % 4] } }", "simplify;",
       "gen y < N { sum k < 4 { A[y * 4 + k] } }"},
      {"(N: size, A: f32[N]) -> f32[N] where N >= 3", "gen y < N { sum k < 3 { [k < N] A[k] } }", "simplify;",
       "gen y < N { sum k < 3 { A[k] } }"},
      {"(N: size, A: f32[N]) -> f32[N] where N >= 3", "gen y < N { sum k < min(N, 3) { A[k] } }", "simplify;",
       "gen y < N { sum k < 3 { A[k] } }"},
      {matrix, "gen y < N { [y >= 1] gen x < M { [x >= 1 and y >= 1] A[y - 1, x - 1] } }", "simplify;",
       "gen y < N { [y >= 1] gen x < M { [x >= 1] A[y - 1, x - 1] } }"},
      {vector, "let b = gen i < N { [0 <= i] A[i] }; gen y < N { [y <= N] b[y] }", "simplify;",
       "let b = gen i < N { A[i] }; gen y < N { b[y] }"},
      {"(N: size) -> i32[N]", "gen y < N { i32(y + 2 - 1) + i32(y - y) }", "simplify;",
       "gen y < N { i32(y + 1) + i32(0) }"},
      {vector, "gen y < N { 1.0 + A[y] }", "simplify;", "gen y < N { 1.0 + A[y] }"},
  });
}

} // namespace atl::guards_test
