// Products and sums against reductions.
#include "tests/support/rewrite_rows.h"

#include <doctest/doctest.h>

namespace atl::distributive_test {

using namespace atl::testing;

namespace {

const std::string weighted = "(N: size, c: f32, A: f32[N], B: f32[N]) -> f32";
const std::string rows = "(M: size, N: size, c: f32[M], A: f32[M, N], x: f32[N]) -> f32[M]";

} // namespace

TEST_CASE("distributive applies") {
  applies_up_to_rounding({
      {weighted, "sum k < N { c * A[k] }", "factor k;", "c * sum k < N { A[k] }"},
      {weighted, "sum k < N { A[k] * B[k] * c }", "factor k;", "sum k < N { A[k] * B[k] } * c"},
      {weighted, "c * sum k < N { A[k] }", "absorb k;", "sum k < N { c * A[k] }"},
      {rows, "gen i < M { sum j < N { c[i] * (A[i, j] * x[j]) } }", "factor j;",
       "gen i < M { c[i] * sum j < N { A[i, j] * x[j] } }"},
      {rows, "gen i < M { c[i] * sum j < N { A[i, j] * x[j] } }", "absorb j;",
       "gen i < M { sum j < N { c[i] * (A[i, j] * x[j]) } }"},
      {rows, "let s = gen i < M { sum j < N { A[i, j] * x[j] } }; gen i < M { c[i] * s[i] }",
       "inline s; absorb j;", "gen i < M { sum j < N { c[i] * (A[i, j] * x[j]) } }"},
      {weighted, "sum k < N { A[k] + B[k] }", "distribute k;", "sum k < N { A[k] } + sum k.r < N { B[k.r] }"},
      {weighted, "sum k < N { A[k] - c * B[k] }", "distribute k into a, b; factor b;",
       "sum a < N { A[a] } - c * sum b < N { B[b] }"},
  });
}

TEST_CASE("distributive is refused") {
  refuses({
      {weighted, "sum k < N { A[k] * B[k] }", "factor k;", "the terms of k are not products with a factor"},
      {weighted, "max k < N { c * A[k] }", "factor k;", "k is not a sum"},
      {weighted, "prod k < N { A[k] + B[k] }", "distribute k;", "k is not a sum"},
      {weighted, "sum k < N { A[k] * B[k] }", "distribute k;", "the terms of k are not sums"},
      {weighted, "sum k < N { A[k] }", "absorb k;", "the sum over k is not a factor of a product"},
      {weighted, "c + sum k < N { A[k] }", "absorb k;", "the sum over k is not a factor of a product"},
      {"(N: size, c: f32, A: f32[N, N]) -> f32[N]", "sum k < N { gen i < N { c * A[k, i] } }", "factor k;",
       "the terms of k are tensors"},
  });
}

} // namespace atl::distributive_test
