// What lowering decides: index maps, accumulators, what is zeroed, which guards stay.
#include "tests/support/from_text.h"

#include <doctest/doctest.h>

namespace atl::lower_test {

using atl::testing::loops;
using atl::testing::lowered;

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a reduction to a scalar runs in an accumulator and is stored once") {
  CHECK(loops("kernel f(N: size, K: size, A: f32[N, K]) -> f32[N] { gen i < N { sum k < K { A[i, k] } } }") ==
        "  for (i = 0; i < N; i++) {\n"
        "    scalar acc: f32 {\n"
        "      acc = 0.0f32; // init\n"
        "      for (k = 0; k < K; k++) {\n"
        "        acc += A[i, k];\n"
        "      }\n"
        "      out[i] = acc;\n"
        "    }\n"
        "  }\n");
}

TEST_CASE("an index that is added to a row term by term, or apart") {
  auto apart = [](const std::string &elem) {
    const auto kernel = lowered("kernel f(N: size, M: size, x: " + elem + "[N, M]) -> " + elem +
                                "[N, M] { gen i < N, j < M { [j >= 5] x[i, j - 5] } }");
    std::vector<std::string> all;
    for (const Index &index : kernel.apart)
      all.push_back(to_string(index));
    return all;
  };
  CHECK(apart("u8") == std::vector<std::string>{"j - 5"}); // i*M + j may be 2^63
  CHECK(apart("f32").empty());
}

TEST_CASE("a small tensor of sums accumulates in a local array, a large one in the output") {
  std::string small =
      loops("kernel f(N: size, A: f32[N, 4]) -> f32[4] { sum i < N { gen j < 4 { A[i, j] } } }");
  CHECK(contains(small, "stack acc: f32[4]"));
  CHECK(contains(small, "acc[j] += A[i, j]"));
  std::string large =
      loops("kernel f(N: size, M: size, A: f32[N, M]) -> f32[M] { sum i < N { gen j < M { A[i, j] } } }");
  CHECK(contains(large, "out[z0] = 0.0f32; // init"));
  CHECK(contains(large, "out[j] += A[i, j]"));
}

TEST_CASE("next to a reduction, a cell gets its value as it is: -0.0 stays -0.0") {
  std::string text = loops("kernel f(N: size, K: size, A: f32[N], B: f32[K, N]) -> f32[N + N] "
                           "{ concat(gen i < N { A[i] }, sum k < K { gen i < N { B[k, i] } }) }");
  CHECK(contains(text, "out[i] = A[i]"));
  CHECK(contains(text, "out[i + N] += B[k, i]") + contains(text, "out[N + i] += B[k, i]") == 1);
}

TEST_CASE("a let that is a reduction is its own accumulator") {
  std::string text =
      loops("kernel f(N: size, x: f32[N]) -> f32[N] { let s = sum i < N { x[i] }; gen i < N { x[i] / s } }");
  CHECK(contains(text, "s += x[i]"));
  CHECK_FALSE(contains(text, "acc"));
}

TEST_CASE("what is fully written is not zeroed") {
  CHECK_FALSE(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }"), "init"));
  CHECK_FALSE(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { concat(gen i < N / 2 { x[i] }, gen N "
                             "/ 2 <= i < N { x[i] }) }"),
                       "init"));
  CHECK_FALSE(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { truncr (4 * cdiv(N, 4) - N) flatten "
                             "gen o < cdiv(N, 4), i < 4 "
                             "{ [o * 4 + i < N] x[o * 4 + i] } }"),
                       "init"));
  CHECK_FALSE(contains(loops("kernel f(A: size, B: size, C: size, x: f32[A * B * C]) -> f32[A, B, C] where A "
                             "<= 1000, B >= 1, B <= 1000, C >= 1, C <= 1000 "
                             "{ split B split C gen n < A * B * C { x[n] } }"),
                       "init"));
}

TEST_CASE("what is not, is zeroed, or set to the neutral value of its reduction") {
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N + 1] { padr 1 gen i < N { x[i] } }"),
                 "out[z0] = 0.0f32; // init"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { [i > 0] x[i] } }"),
                 "out[z0] = 0.0f32; // init"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { [i > 0] max j < i { x[j] } } }"),
                 "out[z0] = -inff32; // init"));
}

TEST_CASE("guards that the ranges decide vanish, with what can never run") {
  CHECK_FALSE(contains(
      loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { [0 <= i and i < N + 3] x[i] } }"), "if"));
  std::string dead =
      loops("kernel f(N: size, x: f32[N]) -> f32[N] { sum k < 3 { gen i < N { [k > 5] x[i] } } }");
  CHECK_FALSE(contains(dead, "for (k"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { select(i < N, x[i], 7.0) } }"),
                 "out[i] = x[i];"));
}

TEST_CASE("reshapes are index maps at the store") {
  CHECK(contains(loops("kernel f(N: size, M: size, A: f32[N, M]) -> f32[M, N] { transpose A }"),
                 "out[i1, i0] = A[i0, i1]"));
  CHECK(contains(loops("kernel f(N: size, A: f32[N, 8]) -> f32[N * 8] { flatten A }"),
                 "out[i0 * 8 + i1] = A[i0, i1]"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N * 8]) -> f32[N, 8] { split 8 x }"),
                 "out[i0 / 8, i0 % 8] = x[i0]"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N + 2] { padl 2 x }"), "out[i0 + 2] = x[i0]"));
  CHECK(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { truncl 2 padl 2 x }"), "out[i0] = x[i0]"));
}

TEST_CASE("an index is as long after many reshapes as after one") {
  std::string chain;
  for (int n = 0; n < 64; ++n)
    chain += "flatten split 8 ";
  const std::string text = loops("kernel f(N: size, x: f32[8 * N]) -> f32[8 * N] { " + chain + "x }");
  CHECK(contains(text, "out[i0] = x[i0]"));
}

TEST_CASE("reshapes that make an index exponentially long are refused, however many they are") {
  for (int count : {8, 64}) {
    std::string chain;
    for (int n = 0; n < count; ++n)
      chain += "flatten transpose split 8 ";
    const std::string program = "kernel f(N: size, x: f32[8 * N]) -> f32[8 * N] { " + chain + "x }";
    const auto refused = lowering::lower(padtypes::check_pads(atl::testing::typed(program)));
    REQUIRE_FALSE(refused);
    CHECK(refused.errors().size() == 1);
    CHECK(refused.errors()[0].code == Code::too_deep);
  }
}

TEST_CASE("a reduction under a truncation accumulates, and what is cut is not stored") {
  std::string outside =
      loops("kernel f(N: size, K: size, A: f32[N, K]) -> f32[N] { truncr (4 * cdiv(N, 4) - N) flatten "
            "gen o < cdiv(N, 4), i < 4 { [o * 4 + i < N] sum k < K { A[o * 4 + i, k] } } }");
  CHECK(contains(outside, "          out[o * 4 + i] = acc;"));
  // The guard is inside the sum: another one keeps sums of nothing from being stored outside the output.
  std::string inside =
      loops("kernel f(N: size, K: size, A: f32[N, K]) -> f32[N] { truncr (4 * cdiv(N, 4) - N) flatten "
            "gen o < cdiv(N, 4), i < 4 { sum k < K { [o * 4 + i < N] A[o * 4 + i, k] } } }");
  CHECK(contains(inside, "        if (o * 4 + i < N) {\n          out[o * 4 + i] = acc;"));
  CHECK_FALSE(contains(inside, "out[z0]"));
}

TEST_CASE("an empty sum that a truncation cuts is not stored in its neighbour's place") {
  // Cell 0 of each operand of truncl is a sum of nothing. In the flattened tensor it would be the last cell
  // of the slice before, or cell 0, which is 42.
  const std::string text = "kernel f(N: size, A: f32[N, 4, 4]) -> f32[N * 4 + 1] { "
                           "concat(gen z < 1 { sum k < 1 { 42.0 } }, flatten gen i < N { "
                           "truncl 1 gen j < 5 { sum k < j { A[i, j - 1, k] } } }) }";
  Tensor ones = make_tensor(Elem::f32, {2, 4, 4});
  for (std::int64_t i = 0; i < ones.element_count(); ++i)
    ones.set(i, make_real(Elem::f32, 1.0));
  Tensor out = run(lowered(text), {{"N", 2}}, {{"A", ones}}).at("out");
  CHECK(same_bits(out, evaluate(atl::testing::typed(text), {{"N", 2}}, {{"A", ones}}).at("out")));
  for (std::int64_t i = 0; i < out.element_count(); ++i)
    CHECK(out.get(i).real == (i == 0 ? 42.0 : static_cast<double>((i - 1) % 4 + 1)));
}

TEST_CASE("a temporary inside a loop has a capacity in the sizes alone") {
  std::string text = loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { let t = gen j < i + 1 { "
                           "x[j] }; sum j < i + 1 { t[j] * t[0] } } }");
  CHECK(contains(text, "heap t: f32[i + 1] of [N]"));
}

TEST_CASE("a temporary whose size has no bound in the sizes is refused") {
  auto kernel =
      atl::testing::typed("kernel f(N: size, x: f32[N]) -> f32[N] where N >= 1 { gen i < N { let t = gen j < "
                          "max(min(i - 3, 4) * min(i - 5, 2), 0) "
                          "{ x[j % N] }; sum j < max(min(i - 3, 4) * min(i - 5, 2), 0) { t[j] } } }");
  auto result = lowering::lower(padtypes::check_pads(kernel));
  REQUIRE_FALSE(result);
  CHECK(result.errors()[0].code == Code::unbounded_temporary);
}

TEST_CASE("unused lets vanish, equal names in sibling scopes stay apart") {
  CHECK_FALSE(contains(loops("kernel f(N: size, x: f32[N]) -> f32[N] { let unused = gen i < N { x[i] + 1.0 "
                             "}; gen i < N { x[i] } }"),
                       "unused"));
  std::string siblings = loops("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { { let t = x[i]; t * t } "
                               "+ { let t = x[0]; t * t } } }");
  CHECK(contains(siblings, "t * t + t_2 * t_2"));
}

TEST_CASE("every store, read and index of a loop nest has an obligation") {
  auto kernel = lowered("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[N - 1 - i] } }");
  int bounds = 0, once = 0, width = 0;
  for (const Obligation &o : kernel.obligations) {
    bounds += o.kind == ObligationKind::bounds;
    once += o.kind == ObligationKind::once;
    width += o.kind == ObligationKind::width;
  }
  CHECK(bounds == 2);
  CHECK(once == 1);
  CHECK(width == 1);
}

} // namespace atl::lower_test
