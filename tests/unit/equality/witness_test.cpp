// Whether two kernels differ for some sizes, seen by running them.
#include "tests/support/from_text.h"

#include "atl/equality/witness.h"

#include <doctest/doctest.h>

namespace atl::witness_test {

using equality::Witness;

namespace {

// Of two kernels with these results, for N = n.
Witness run_both(const std::string &a, const std::string &b, std::int64_t n,
                 const std::string &type = "f32") {
  const std::string head = "(N: size, A: " + type + "[N]) -> " + type + " { ";
  auto kernels = atl::testing::typed_kernels("kernel a" + head + a + " }\nkernel b" + head + b + " }");
  return equality::run_both(kernels.at(0), kernels.at(1), {{"N", n}, {"i", 0}});
}

} // namespace

TEST_CASE("what is different is seen, and only where it is") {
  CHECK(run_both("sum i < N { A[i] }", "sum i < N { 2.0 * A[i] }", 3) == Witness::different);
  CHECK(run_both("sum i < N { A[i] }", "sum i < N { 2.0 * A[i] }", 0) == Witness::same);
  CHECK(run_both("max i < N { A[i] }", "max i < 2 * N { A[i / 2] }", 3) == Witness::same);
  CHECK(run_both("max i < N { [i > 5] A[i] }", "0.0 + max i < N { [i > 5] A[i] }", 3) == Witness::same);
  CHECK(run_both("max i < N { [i > 5] A[i] }", "sum i < N { [i > 5] A[i] }", 3) == Witness::different);
  CHECK(run_both("sum i < N { A[i] }", "sum i < N { i16(i8(A[i])) }", 3, "i16") == Witness::different);
}

TEST_CASE("floats that another order of a sum gives are the same; others have the same bits") {
  auto kernels = atl::testing::typed_kernels(
      "kernel a(N: size, A: f32[N]) -> f32[N] { gen i < N { (A[i] + 1.0) * 3.3 } }\n"
      "kernel b(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] * 3.3 + 3.3 } }");
  CHECK(equality::run_both(kernels.at(0), kernels.at(1), {{"N", 9}}) == Witness::different);
  CHECK(run_both("sum i < N { A[i] / 3.0 }", "(sum i < N { A[i] }) / 3.0", 9) == Witness::same);
  CHECK(run_both("sum i < N { A[i] / 3.0 }", "(sum i < N { A[i] }) / 3.1", 9) == Witness::different);
}

TEST_CASE("what would run for long is not run") {
  CHECK(run_both("sum i < N, j < N { A[i] }", "sum i < N, j < N { A[j] }", 2000) == Witness::too_large);
  CHECK(run_both("sum i < N, j < N - i { A[i] }", "sum i < N, j < N - i { A[j] }", 2000) ==
        Witness::too_large);
  CHECK(run_both("sum i < N { A[i] }", "sum i < N { A[N - 1 - i] }", 2'000'000'000) == Witness::too_large);
}

TEST_CASE("a kernel that reads outside of a tensor is different from one that does not") {
  CHECK(run_both("sum i < N { A[i] }", "sum i < N { A[i + 1] }", 3) == Witness::different);
  CHECK(run_both("sum i < N { A[i + 1] }", "sum i < N { A[i] }", 3) == Witness::not_run);
  CHECK(run_both("sum i < N { A[i + 1] }", "sum i < N { A[i + 1] }", 3) == Witness::not_run);
}

} // namespace atl::witness_test
