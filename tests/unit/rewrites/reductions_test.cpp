// Partial results of reductions in temporaries.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::reductions_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string matrix = "(N: size, M: size, A: f32[N, M]) -> f32[N, M]";
const std::string total = "(N: size, A: f32[N]) -> f32";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("reductions applies, up to rounding") {
  applies_up_to_rounding({
      {"(N: size, M: size, A: f32[N, M]) -> f32", "sum y < N, x < M { A[y, x] }", "rfactor y as part;",
       "let part = gen part.y < N { sum x < M { A[part.y, x] } }; sum y < N { part[y] }"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "sum y < N, x < M { A[y, x] }", "rfactor x as part;",
       "let part = gen part.x < M { sum y < N { A[y, part.x] } }; sum x < M { part[x] }"},
      {"(N: size, M: size, A: f32[N + 1, M]) -> f32", "sum 1 <= y < N + 1, x < M { A[y, x] }",
       "rfactor y as part;", R"(let part = gen 1 <= part.y < N + 1 { sum x < M { A[part.y, x] } };
          sum 1 <= y < N + 1 { part[y - 1] })"},
      {total, "sum k < N { A[k] }", "split k by 4; rfactor k.i as part;", R"(let part = gen part.k.i < 4 {
            sum k.o < cdiv(N, 4) { [k.o * 4 + part.k.i < N] A[k.o * 4 + part.k.i] }
          };
          sum k.i < 4 { part[k.i] })"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[M]", "sum y < N, z < 3 { gen x < M { f32(z) * A[y, x] } }",
       "rfactor z as part;",
       R"(let part = gen part.z < 3 { sum y < N { gen x < M { f32(part.z) * A[y, x] } } };
          sum z < 3 { gen part.c0 < M { part[z, part.c0] } })"},
      {"(N: size, A: f32[N, N]) -> f32", "sum y < N { sum x < y { A[y, x] } }", "rfactor y as part;",
       "let part = gen part.y < N { sum x < part.y { A[part.y, x] } }; sum y < N { part[y] }"},
  });
}

TEST_CASE("reductions applies") {
  applies({
      // What a truncation cuts off stays padding, also where there are temporaries or parts.
      {"(N: size, A: f32[N]) -> f32[N]",
       "truncr (cdiv(N, 4) * 4 - N) flatten gen o < cdiv(N, 4), i < 4 { [o * 4 + i < N] A[o * 4 + i] }",
       "accumulate i as a; accumulate o as b;",
       R"(truncr (cdiv(N, 4) * 4 - N) flatten {
            let b = gen o < cdiv(N, 4) {
              let a = gen i < 4 { [o * 4 + i < N] A[o * 4 + i] };
              gen a.c0 < 4 { [o * 4 + a.c0 < N] a[a.c0] }
            };
            gen b.c0 < cdiv(N, 4), b.c1 < 4 { [b.c0 * 4 + b.c1 < N] b[b.c0, b.c1] }
          })"},
      {"(N: size, A: f32[N]) -> f32[N + 1]", "truncr 1 concat(gen y < N { A[y] }, gen z < 2 { [z < 1] 1.0 })",
       "accumulate z as p;",
       "truncr 1 concat(gen y < N { A[y] }, { let p = gen z < 2 { [z < 1] 1.0 }; gen p.c0 < 2 { [p.c0 < 1] "
       "p[p.c0] } })"},
      {"(N: size, A: f32[N]) -> f32[2 * N + 1]",
       "truncr 1 flatten gen i < 1 { concat(gen y < N { A[y] }, gen z < N + 2 { [z < N + 1] 1.0 }) }",
       "accumulate i as p;",
       R"(truncr 1 flatten {
            let p = gen i < 1 { concat(gen y < N { A[y] }, gen z < N + 2 { [z < N + 1] 1.0 }) };
            gen p.c0 < 1, p.c1 < N * 2 + 2 { [p.c1 < N or p.c1 >= N and p.c1 - N < N + 1] p[p.c0, p.c1] }
          })"},
      {rows, "gen y < N { sum x < M { A[y, x] } }", "accumulate x as acc;",
       "gen y < N { let acc = sum x < M { A[y, x] }; acc }"},
      {matrix, "gen y < N { sum k < 3 { gen x < M { f32(k) * A[y, x] } } }", "accumulate k as acc;",
       R"(gen y < N {
            let acc = sum k < 3 { gen x < M { f32(k) * A[y, x] } };
            gen acc.c0 < M { acc[acc.c0] }
          })"},
      {matrix, "gen y < N { sum k < 3 { gen x < M { [x >= 1] f32(k) * A[y, x - 1] } } }",
       "accumulate k as acc;", R"(gen y < N {
            let acc = sum k < 3 { gen x < M { [x >= 1] f32(k) * A[y, x - 1] } };
            gen acc.c0 < M { [acc.c0 >= 1] acc[acc.c0] }
          })"},
      {"(N: size, M: size, A: f32[N, M]) -> f32[N, 4]",
       "gen y < N { sum x < M { gen c < 4 { [c >= 1 and x >= c] A[y, x - c] } } }", "accumulate x;",
       R"(gen y < N {
            let acc = sum x < M { gen c < 4 { [c >= 1 and x >= c] A[y, x - c] } };
            gen acc.c0 < 4 { acc[acc.c0] }
          })"},
      {matrix, "gen y < N { max k < 3 { gen x < M { [x >= k] A[y, x - k] } } }", "accumulate k as acc;",
       "gen y < N { let acc = max k < 3 { gen x < M { [x >= k] A[y, x - k] } }; gen acc.c0 < M { acc[acc.c0] "
       "} }"},
      {rows, "gen y < N { min x < M { max k < x { A[y, k] } } }", "accumulate k as acc;",
       "gen y < N { min x < M { let acc = max k < x { A[y, k] }; acc } }"},
      // What holds nothing in the temporary is read as a value, where a guard would give another one.
      {"(N: size, M: size, A: f32[N, M]) -> f32[M]",
       "min i < N { sum k < N { gen c < M { [c >= 1] A[i, c] } } }", "accumulate k as acc;",
       "min i < N { let acc = sum k < N { gen c < M { [c >= 1] A[i, c] } }; gen acc.c0 < M { acc[acc.c0] } "
       "}"},
      {rows, "gen y < N { max x < M { [y < 3] A[y, x] } }", "accumulate x as acc;",
       "gen y < N { let acc = max x < M { [y < 3] A[y, x] }; acc }"},
      {vector, "gen y < N { 1.0 + 2.0 * A[y] }", "accumulate y as acc;",
       "let acc = gen y < N { 1.0 + 2.0 * A[y] }; gen acc.c0 < N { acc[acc.c0] }"},
  });
}

TEST_CASE("reductions is refused") {
  refuses({
      {total, "sum k < N { A[k] }", "rfactor k as part;", "k is the only loop of its reduction"},
      {matrix, "gen y < N, x < M { A[y, x] }", "rfactor y as part;", "y is not a reduction"},
      {"(N: size, A: f32[N, N]) -> f32", "sum y < N { sum x < y { A[y, x] } }", "rfactor x as part;",
       "the range of x depends on y"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "max y < N { sum x < M { A[y, x] } }", "rfactor y as part;",
       "y is the only loop of its reduction"},
      {"(N: size, M: size, A: f32[N, M]) -> f32", "max y < N { sum x < M { A[y, x] } }", "rfactor x as part;",
       "x is the only loop of its reduction"},
      // Where a guard that is now around the temporary does not hold, the cell would read as another value.
      {"(N: size, M: size, A: f32[N]) -> f32[M]", "gen y < M { [y >= 3] max k < N { A[k] } }",
       "accumulate k;", "N = 0, M = 1, y = 0: the schedule has 0.0f32"},
      {"(N: size, A: f32[N]) -> f32[2 * N]",
       "concat(gen y < N { [y >= 1] A[y] }, gen z < N { prod k < N { A[k] } })", "accumulate k;", "N = 1"},
  });
}

} // namespace atl::reductions_test
