// Equality of two programs, as obligations that the solver decides.
#include "tests/support/from_text.h"

#include "atl/equality/agreement.h"
#include "proofs/discharge.h"

#include <doctest/doctest.h>

namespace atl::equality_test {

namespace {

// What is found of two kernels a and b: "" if proved equal, else the first problem.
struct Found {
  std::string problem;
  bool in_order = true, neutral_law = false;
  std::vector<std::string> rounds = {}; // the laws of floats that were used
};

Found compare(const std::string &text, const equality::Prophecies &prophecies = {}) {
  auto kernels = atl::testing::typed_kernels(text);
  equality::Equality e =
      equality::equal_obligations(kernels.at(0), kernels.at(1), prophecies, kernels[1].span);
  proofs::Prover prover;
  Found found;
  found.neutral_law = e.laws.contains(equality::Law::neutral);
  for (const Obligation &o : e.obligations)
    if (auto problem = proofs::explain(o, prover.decide(o)); problem && found.problem.empty())
      found.problem = problem->message;
  for (const Obligation &o : e.order)
    found.in_order = found.in_order && prover.decide(o).status == proofs::Verdict::Status::proved;
  equality::note_laws(
      e, [&](const Obligation &o) { return prover.proves(o); }, found.rounds);
  return found;
}

const std::string blur = R"(
kernel blur(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  let rows = gen y < N + 2, x < M { (img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3.0 };
  gen y < N, x < M { (rows[y, x] + rows[y + 1, x] + rows[y + 2, x]) / 3.0 }
}
)";

const std::string matmul = R"(
kernel matmul(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }
}
)";

} // namespace

TEST_CASE("a fused stencil is the staged one") {
  CHECK(compare(blur + R"(
kernel fused(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  gen y < N, x < M { ((img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3.0 +
    (img[y + 1, x] + img[y + 1, x + 1] + img[y + 1, x + 2]) / 3.0 +
    (img[y + 2, x] + img[y + 2, x + 1] + img[y + 2, x + 2]) / 3.0) / 3.0 }
})")
            .problem == "");
}

TEST_CASE("a stencil that reads one column further is another") {
  CHECK(compare(blur + R"(
kernel fused(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  gen y < N, x < M { ((img[y, x] + img[y, x + 1] + img[y, x + 1]) / 3.0 +
    (img[y + 1, x] + img[y + 1, x + 1] + img[y + 1, x + 2]) / 3.0 +
    (img[y + 2, x] + img[y + 2, x + 1] + img[y + 2, x + 2]) / 3.0) / 3.0 }
})")
            .problem == "N = 1, M = 1, y = 0, x = 0: the schedule uses img[0, 1], the algorithm img[0, 2]");
}

TEST_CASE("tiles with a guarded tail, and a split reduction") {
  Found found = compare(matmul + R"(
kernel tiled(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] {
  truncr (4 * cdiv(M, 4) - M) flatten gen io < cdiv(M, 4), ii < 4 {
    [io * 4 + ii < M] gen j < N { sum ko < cdiv(K, 8), ki < 8 { [ko * 8 + ki < K] A[io * 4 + ii, ko * 8 + ki] * B[ko * 8 + ki, j] } } }
})");
  CHECK(found.problem == "");
  CHECK(found.in_order);
  CHECK(!found.neutral_law);
}

TEST_CASE("a reduction in another order is equal, but not bit by bit") {
  Found found = compare(matmul + R"(
kernel other(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] where K % 8 == 0 {
  gen i < M, j < N { sum ki < 8, ko < K / 8 { A[i, ko * 8 + ki] * B[ko * 8 + ki, j] } }
})");
  CHECK(found.problem == "");
  CHECK(!found.in_order);
  CHECK(found.rounds == std::vector<std::string>{"reductions in another order"});
}

TEST_CASE("a sum of integers in another order rounds as before, also if its result becomes a float") {
  Found found = compare(R"(
kernel a(N: size, K: size, x: i8[N, K], by: f32) -> f32[N] where K % 8 == 0 {
  gen i < N { f32(sum k < K { i32(x[i, k]) }) * by }
}
kernel b(N: size, K: size, x: i8[N, K], by: f32) -> f32[N] where K % 8 == 0 {
  let part = gen i < N, ki < 8 { sum ko < K / 8 { i32(x[i, ko * 8 + ki]) } };
  gen i < N { f32(sum ki < 8 { part[i, ki] }) * by }
})");
  CHECK(found.problem == "");
  CHECK(!found.in_order);
  CHECK(found.rounds.empty());
}

TEST_CASE("sums that are complete before they are summed: rounded as before, if each has the same terms") {
  const std::string head = "(N: size, M: size, K: size, x: f32[N, M, K]) -> f32 ";
  const std::string rows =
      "kernel a" + head + "{ sum i < N { let row = sum j < M, k < K { x[i, j, k] }; row } }";
  const std::vector<std::string> as_before, regrouped{"partial results of reductions combined"};
  auto rounds = [&](const std::string &a, const std::string &b) {
    const Found found = compare(a + " kernel b" + head + b);
    CHECK(found.problem == "");
    return found.rounds;
  };
  CHECK(rounds(rows, "{ sum r < N { let sums = sum j < M, c < K { x[r, j, c] }; sums } }") == as_before);
  CHECK(rounds(rows, "{ sum i < N, j < M, k < K { x[i, j, k] } }") == regrouped);
  CHECK(rounds(rows, "{ sum i < N, j < M { let cell = sum k < K { x[i, j, k] }; cell } }") == regrouped);
  const std::string some = "{ sum i < N { let row = sum j < M, k < K { x[i, j, k] }; [i >= 2] row } }";
  CHECK(rounds("kernel a" + head + some, some) == as_before);
}

TEST_CASE("a reduction that loses its tail is found") {
  CHECK(compare(matmul + R"(
kernel other(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] {
  gen i < M, j < N { sum ko < K / 8, ki < 8 { A[i, ko * 8 + ki] * B[ko * 8 + ki, j] } }
})")
            .problem != "");
}

TEST_CASE("a reduction over a delta is a read") {
  Found found = compare(R"(
kernel a(N: size, x: f32[N]) -> f32[N] { gen i < N { sum k < N { [k == N - 1 - i] x[k] } } }
kernel b(N: size, x: f32[N]) -> f32[N] { gen i < N { x[N - 1 - i] } })");
  CHECK(found.problem == "");
  CHECK(found.neutral_law);
}

TEST_CASE("terms that are a product with 0 are left out; of floats, by a law") {
  auto with = [](const std::string &elem) {
    const std::string given = "(N: size, A: " + elem + "[N], B: " + elem + "[N]) -> " + elem;
    return compare("kernel a" + given + " { sum j < N, k < N { ([k == j] A[k]) * B[j] } }\nkernel b" + given +
                   " { sum k < N { A[k] * B[k] } }");
  };
  const Found of_floats = with("f32"), of_integers = with("i32");
  CHECK(of_floats.problem == "");
  CHECK(of_floats.rounds == std::vector<std::string>{"a product with 0 is 0"});
  CHECK(of_integers.problem == "");
  CHECK(of_integers.rounds.empty());
}

TEST_CASE("a temporary with a prophecy") {
  equality::Prophecies prophecies{
      {"tile", {"rows", {"a", "b"}, {add(variable("yo"), variable("a")), variable("b")}, truth(true)}}};
  std::string text = blur + R"(
kernel tiled(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  gen yo < N { let tile = gen a < 3, x < M { (img[yo + a, x] + img[yo + a, x + 1] + img[yo + a, x + 2]) / 3.0 };
    gen x < M { (tile[0, x] + tile[1, x] + tile[2, x]) / 3.0 } } })";
  CHECK(compare(text, prophecies).problem == "");
  prophecies.at("tile").indices[0] = add(add(variable("yo"), variable("a")), constant(1));
  CHECK(compare(text, prophecies).problem != "");
}

TEST_CASE("a reduction without terms is its neutral value") {
  CHECK(compare(R"(
kernel a(N: size, M: size, x: f32[M]) -> f32[N] { gen i < N { sum k < M { [0 <= i - k and i - k == 2] x[k] } } }
kernel b(N: size, M: size, x: f32[M]) -> f32[N] { gen i < N { [0 <= i - 2 < M] x[i - 2] } })")
            .problem == "");
  CHECK(compare(R"(
kernel a(N: size, x: f32[N]) -> f32[N] { gen i < N { sum k < i { x[k] } } }
kernel b(N: size, x: f32[N]) -> f32[N] { gen i < N { 0.0 } })")
            .problem != "");
}

TEST_CASE("the first reduction fills a tensor; one of another kind beside it has its own accumulator") {
  const std::string halves = R"(
kernel a(N: size, x: u8[N]) -> u8[2 * N] {
  concat(gen i < N { max k < 3 { x[i] } }, gen j < N { min k < 2 { [N <= 1] x[j] } })
}
)";
  // Where the guard is false, the minimum of nothing is 255 and a cell that is not written reads as 0.
  CHECK(compare(halves + R"(
kernel b(N: size, x: u8[N]) -> u8[2 * N] {
  concat(gen i < N { max k < 3 { x[i] } }, gen j < N { [N <= 1] x[j] })
})")
            .problem != "");
  CHECK(compare(halves + R"(
kernel b(N: size, x: u8[N]) -> u8[2 * N] {
  let right = gen j < N { min k < 2 { [N <= 1] x[j] } };
  concat(gen i < N { max k < 3 { x[i] } }, gen j < N { right[j] })
})")
            .problem == "");
}

TEST_CASE("a guard is 0 inside arithmetic, and the neutral value where a reduction fills the tensor") {
  const std::string reads = R"(
kernel a(N: size, x: i32[N]) -> i32[N] { let m = gen i < N { [i >= 1] min k < N { x[k] } }; gen i < N { m[i] + 1 } }
)";
  CHECK(compare(reads + "kernel b(N: size, x: i32[N]) -> i32[N] "
                        "{ gen i < N { select(i >= 1, min k < N { x[k] }, 2147483647) + 1 } }")
            .problem == "");
  CHECK(compare(reads + "kernel b(N: size, x: i32[N]) -> i32[N] "
                        "{ gen i < N { ([i >= 1] min k < N { x[k] }) + 1 } }")
            .problem != "");
}

} // namespace atl::equality_test
