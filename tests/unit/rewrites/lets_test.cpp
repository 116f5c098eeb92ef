// Temporaries are replaced by their cells, or by others of the same expression.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::lets_test {

using namespace atl::testing;

namespace {

const std::string vector = "(N: size, A: f32[N]) -> f32[N]";
const std::string total = "(N: size, A: f32[N]) -> f32";
const std::string rows = "(N: size, M: size, A: f32[N, M]) -> f32[N]";

} // namespace

TEST_CASE("lets applies") {
  applies({
      {vector, "let b = gen i < N { 2.0 * A[i] }; gen y < N { b[y] + b[N - 1 - y] }", "inline b;",
       "gen y < N { 2.0 * A[y] + 2.0 * A[N - 1 - y] }"},
      {total, "let b = 2.0 * (sum k < N { A[k] }); b * b", "inline b;",
       "2.0 * sum k < N { A[k] } * (2.0 * sum k < N { A[k] })"},
      {rows, "let b = gen i < N { max j < M { A[i, j] } }; gen y < N { b[y] * b[0 + y] }", "inline b;",
       "gen y < N { max j < M { A[y, j] } * max j < M { A[0 + y, j] } }"},
      {"(N: size, A: f32[N]) -> f32[N]",
       "let b = sum k < 3 { gen i < N { [i >= k] A[i - k] } }; gen y < N { b[y] }", "inline b;",
       "gen y < N { sum k < 3 { [y >= k] A[y - k] } }"},
      {"(N: size, A: f32[N]) -> f32[2 * N]",
       "let b = flatten gen i < N, j < 2 { f32(j) * A[i] }; gen y < 2 * N { b[y] }", "inline b;",
       "gen y < 2 * N { f32(y % 2) * A[y / 2] }"},
      {"(N: size, A: f32[N]) -> f32[N + 1]", "let b = padl 1 A; gen y < N + 1 { 1.0 + b[y] }", "inline b;",
       "gen y < N + 1 { 1.0 + [y >= 1] A[y - 1] }"},
      {vector, "let b = gen 1 <= i < N + 1 { A[i - 1] }; gen y < N { b[y] }", "inline b;",
       "gen y < N { A[1 + y - 1] }"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { a[i] + 1.0 }; gen y < N { b[y] * a[y] }",
       "inline a;", "let b = gen i < N { 2.0 * A[i] + 1.0 }; gen y < N { b[y] * (2.0 * A[y]) }"},
      {vector, "gen y < N { let t = A[y] * 2.0; t * t }", "inline t;",
       "gen y < N { A[y] * 2.0 * (A[y] * 2.0) }"},
      {vector, "let b = gen i < N { A[i] }; gen y < N { A[y] }", "inline b;", "gen y < N { A[y] }"},
      {rows,
       "let b = gen i < N { let t = 2.0 * (sum k < M { A[i, k] }); t * t }; gen y < N { b[y] + b[N - 1 - y] "
       "}",
       "inline b;", R"(gen y < N {
            {
              let t = 2.0 * sum k < M { A[y, k] };
              t * t
            } + {
                let t_2 = 2.0 * sum k < M { A[N - 1 - y, k] };
                t_2 * t_2
              }
          })"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { 2.0 * A[i] }; gen y < N { a[y] + b[N - 1 - y] "
       "}",
       "merge a, b;", "let a = gen i < N { 2.0 * A[i] }; gen y < N { a[y] + a[N - 1 - y] }"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen j < N { 2.0 * A[j] }; gen y < N { a[y] + b[N - 1 - y] "
       "}",
       "merge a, b;", "let a = gen i < N { 2.0 * A[i] }; gen y < N { a[y] + a[N - 1 - y] }"},
      {"(N: size, A: f32[N]) -> f32[N] where N >= 3",
       "let b = gen i < N { 2.0 * A[i] }; concat(gen y < N - 1 { b[y] + b[y + 1] }, gen z < 1 { b[z] })",
       "compute b at y, z;", R"(concat(
            gen y < N - 1 { let b = gen i < 2 { 2.0 * A[y + i] }; b[0] + b[y + 1 - y] },
            gen z < 1 { let b_2 = gen i < 1 { 2.0 * A[z + i] }; b_2[0] }
          ))"},
      {vector, "gen y < N { let s = 2.0 * A[y]; let t = 2.0 * A[y]; s * t }", "merge s, t;",
       "gen y < N { let s = 2.0 * A[y]; s * s }"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; gen y < N { a[y] * { let b = gen i < N { 2.0 * A[i] }; sum k < N { "
       "b[k] } } }",
       "merge a, b;", "let a = gen i < N { 2.0 * A[i] }; gen y < N { a[y] * sum k < N { a[k] } }"},
  });
}

TEST_CASE("what holds nothing is not inlined where it would read as another value") {
  const std::string limits = "(N: size, A: f32[N + 1]) -> f32";
  const std::string padded = "let b = gen i < N { [i >= 1] A[i] }; ";
  applies({
      {limits, padded + "min 1 <= k < N { b[k] }", "inline b;", "min 1 <= k < N { [k >= 1] A[k] }"},
      {limits, padded + "min k < N { [k >= 1] b[k] }", "inline b;", "min k < N { [k >= 1] [k >= 1] A[k] }"},
      {limits, padded + "min k < N { 1.0 + b[k] }", "inline b;", "min k < N { 1.0 + [k >= 1] A[k] }"},
      {limits, "let c = sink 0 { let b = A[0]; { let d = b + 1.0; gen i < 4 { d } } }; min k < 4 { c[k] }",
       "inline b;", "let c = { let d = A[0] + 1.0; gen i < 4 { d } }; min k < 4 { c[k] }"},
      {limits, "let b = gen i < N { max j < i { A[j] } }; min k < N { b[k] }", "inline b;",
       "min k < N { max j < k { A[j] } }"},
  });
  refuses({
      {limits, padded + "min k < N { b[k] }", "inline b;", "N = 1, k_2 = 0: the min of the schedule"},
      {limits, padded + "prod k < N { b[k] }", "inline b;", "N = 1, k_2 = 0: the prod of the schedule"},
      {limits, "let b = padl 1 A; max k < N + 2 { b[k] }", "inline b;", "N = 0, k_2 = 0"},
      {"(N: size, M: size, A: f32[N]) -> f32[M]",
       "let b = gen y < M { max k < N { A[k] } }; gen y < M { [y >= 2] b[y] }", "inline b;",
       "N = 0, M = 1, y = 0: the schedule has -inff32"},
      {"(N: size, M: size, A: f32[N]) -> f32[M]",
       "let b = gen y < M { [y >= 1] max k < N { A[k] } }; gen y < M { 1.0 + b[y] }", "inline b;",
       "N = 0, M = 1, y = 0"},
  });
}

TEST_CASE("lets is refused") {
  refuses({
      {vector, "let b = concat(gen i < 0 { 1.0 }, A); gen y < N { b[y] }", "inline b;",
       "b is a concat; its cells have no single expression"},
      {vector, "gen y < N { 2.0 * A[y] }", "inline A;", "A is not a temporary"},
      {vector, "gen y < N { 2.0 * A[y] }", "inline out;", "out is not a temporary"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { A[i] + A[i] }; gen y < N { a[y] + b[y] }",
       "merge a, b;", "a and b are not the same expression"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { 2.0 * A[i] }; gen y < N { a[y] + b[y] }",
       "merge b, a;", "b is not known where a is computed"},
      {vector,
       "let a = gen i < N { 2.0 * A[i] }; let b = gen i < N { 2.0 * A[i] }; gen y < N { a[y] + b[y] }",
       "merge a, A;", "A is not a temporary"},
      {vector,
       "concat(gen y < N / 2 { let s = 2.0 * A[0]; s * A[y] }, gen N / 2 <= z < N { let t = 2.0 * A[0]; t * "
       "A[z] })",
       "merge s, t;", "s is not known where t is computed"},
      {vector, "let a = gen i < N { 2.0 * A[i] }; gen y < N { a[y] }", "merge a, a;",
       "a is not known where a is computed"},
  });
}

} // namespace atl::lets_test
