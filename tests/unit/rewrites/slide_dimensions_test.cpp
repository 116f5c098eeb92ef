// What depends on the sum of two indices only.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::slide_dimensions_test {

using namespace atl::testing;

namespace {

const std::string picture = "(H: size, W: size, A: u16[H + 2, W + 2]) -> u16[H, W]";
const std::string line = "(N: size, A: f32[N + 2]) -> f32[N]";
const std::string stencil =
    "gen y < H, x < W { sum i < 3, j < 3 { u16(i + 1) * (u16(j + 1) * A[y + j, x + i]) } }";

} // namespace

TEST_CASE("slide_dimensions applies") {
  applies_up_to_rounding({
      {picture, stencil, "factor j; accumulate j as c; compute c at y; slide c by d0 + d1;",
       R"(gen y < H {
            let c = gen c.p0 < W + 2 { sum j < 3 { u16(j + 1) * A[j + y, c.p0] } };
            gen x < W { sum i < 3 { u16(i + 1) * c[x + i] } }
          })"},
      {picture, stencil, "factor j; accumulate j as c; compute c at root; slide c by d2 + d1;",
       R"(let c = gen c.p0 < H, c.p2 < W + 2 { sum j < 3 { u16(j + 1) * A[c.p0 + j, c.p2] } };
          gen y < H, x < W { sum i < 3 { u16(i + 1) * c[y, i + x] } })"},
      {picture, stencil,
       "factor j; accumulate j as c; compute c at y; slide c by d0 + d1; split c.p0 in c by 4 tail cut;",
       R"(gen y < H {
            let c = concat(
              flatten gen c.p0.o < (W + 2) / 4, c.p0.i < 4 { sum j < 3 { u16(j + 1) * A[j + y, c.p0.o * 4 + c.p0.i] } },
              gen (W + 2) / 4 * 4 <= c.p0.t < W + 2 { sum j < 3 { u16(j + 1) * A[j + y, c.p0.t] } });
            gen x < W { sum i < 3 { u16(i + 1) * c[x + i] } }
          })"},
  });
}

TEST_CASE("slide_dimensions is refused") {
  const std::string made = "factor j; accumulate j as c; compute c at y; ";
  const std::string names = "is not the sum of two dimensions of c";
  refuses({
      {line, "gen x < N { A[x] }", "slide A by d0 + d1;", "A is not a temporary"},
      {line, "let b = gen i < N { A[i] }; gen x < N { b[x] }", "slide b by d0 + d1;",
       "b holds a tensor of the algorithm, and keeps its dimensions"},
      {picture, stencil, made + "slide c by d0 + d2;", "d0 + d2 " + names},
      {picture, stencil, made + "slide c by d0 + d0;", "d0 + d0 " + names},
      {picture, stencil, made + "slide c by d0 - d1;", "d0 - d1 " + names},
      {picture, "gen y < H, x < W { sum i < 2, j < 3 { u16(i) * (u16(j) * A[y + j, x + 2 * i]) } }",
       made + "slide c by d0 + d1;", "a cell of c depends on d0 and d1 by more than their sum"},
  });
}

} // namespace atl::slide_dimensions_test
