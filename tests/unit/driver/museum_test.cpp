// Real mistakes of other compilers, as tests: each is refused here with a counterexample, or proved and run
// right. The names say what went wrong elsewhere.
#include "tests/support/from_text.h"

#include "atl/meaning/eval.h"
#include "cbackend/host/native.h"
#include "cbackend/library/emit_c.h"
#include "proofs/discharge.h"

#include <doctest/doctest.h>

namespace atl::museum_test {

using atl::testing::typed;

namespace {

// The first message that the obligations of all stages give, with its code; empty if all are proved.
std::string verdict(const std::string &text) {
  proofs::Prover prover;
  auto first_problem = [&](const std::vector<Obligation> &obligations) -> std::string {
    for (const Obligation &o : obligations)
      if (auto problem = proofs::explain(o, prover.decide(o)))
        return code_name(problem->code) + " " + problem->message;
    return "";
  };
  TypedKernel kernel = typed(text);
  std::string problem = first_problem(kernel.obligations);
  auto checked = padtypes::check_pads(kernel);
  if (problem.empty())
    problem = first_problem(checked.obligations);
  if (!problem.empty())
    return problem;
  auto loops = lowering::lower(checked);
  REQUIRE(loops);
  return first_problem(loops->obligations);
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

Tensor ramp(Elem elem, std::vector<std::int64_t> shape) {
  Tensor t = make_tensor(elem, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.set(i, is_float(elem) ? make_real(elem, 0.25 * static_cast<double>(i) - 1) : make_integer(elem, i - 3));
  return t;
}

// Proved for all sizes, and natively the same bits as the meaning for these.
void runs_right(const std::string &text, const std::vector<std::pair<Valuation, Tensors>> &cases) {
  CHECK(verdict(text) == "");
  TypedKernel kernel = typed(text);
  auto library = cbackend::NativeLibrary::compile({atl::testing::lowered(text)});
  REQUIRE(library);
  for (const auto &[sizes, inputs] : cases) {
    auto native = library->call(kernel.name, sizes, inputs);
    REQUIRE(native);
    for (const auto &[name, expected] : evaluate(kernel, sizes, inputs))
      CHECK(same_bits(native->at(name), expected));
  }
}

} // namespace

TEST_CASE("museum 1: truncating something that was computed stored outside the buffer") {
  std::string wrong =
      "kernel museum(M: size, x: f32[M]) -> f32[M - 1] where M >= 1 { truncr 1 gen i < M { x[i] } }";
  CHECK(contains(verdict(wrong), "E3001"));
  CHECK(contains(verdict(wrong), "M = 1"));
  // The loop nest by itself says so a second time.
  auto loops = lowering::lower(padtypes::check_pads(typed(wrong)));
  REQUIRE(loops);
  proofs::Prover prover;
  bool refuted = false;
  for (const Obligation &o : loops->obligations)
    refuted = refuted || (o.kind == ObligationKind::bounds &&
                          prover.decide(o).status == proofs::Verdict::Status::refuted);
  CHECK(refuted);
  // The published form of this amount is wrong where 4 divides M.
  CHECK(contains(verdict("kernel museum(M: size, x: f32[M]) -> f32[4 * cdiv(M, 4) - (4 - M % 4)] { truncr (4 "
                         "- M % 4) flatten gen o < "
                         "cdiv(M, 4), i < 4 { [o * 4 + i < M] x[o * 4 + i] } }"),
                 "E"));
}

TEST_CASE("museum 2: (a + b) * c was printed as a + b * c, 5 * (i % 2) as 5 * i % 2") {
  std::string text = "kernel museum(N: size, a: i32[5 * N + 5], b: i32[N], c: i32[N]) -> i32[N] { gen i < N "
                     "{ (a[5 * (i % 2)] + b[i]) * c[i] - (a[i] - "
                     "(b[i] - c[i])) } }";
  std::string c = cbackend::emit_source("museum", {atl::testing::lowered(text)});
  CHECK(contains(c, "a[(i%2)*5]"));
  std::vector<std::pair<Valuation, Tensors>> cases;
  for (std::int64_t n : {0, 1, 2, 7})
    cases.push_back(
        {{{"N", n}},
         {{"a", ramp(Elem::i32, {5 * n + 5})}, {"b", ramp(Elem::i32, {n})}, {"c", ramp(Elem::i32, {n})}}});
  runs_right(text, cases);
}

TEST_CASE("museum 3: floor division was proved, C's division was printed: (i - 3) % 4 read x[-3]") {
  std::string text =
      "kernel museum(N: size, x: f32[4], y: i32[N]) -> (a: f32[N], b: i32[N]) "
      "{ (gen i < N { x[(i - 3) % 4] }, gen i < N { y[i] / 2 + y[i] % 4 + i32((i - 5) / 3) }) }";
  std::vector<std::pair<Valuation, Tensors>> cases;
  for (std::int64_t n : {1, 3, 4, 9})
    cases.push_back({{{"N", n}}, {{"x", ramp(Elem::f32, {4})}, {"y", ramp(Elem::i32, {n})}}});
  runs_right(text, cases);
}

TEST_CASE(
    "museum 15: a loop in lanes wrote past the end when the trip count is no multiple of their number") {
  std::string unguarded = "kernel museum(N: size, x: f32[N]) -> f32[N] { truncr (8 * cdiv(N, 8) - N) flatten "
                          "gen o < cdiv(N, 8), l < 8 { 1.0 } }";
  CHECK(contains(verdict(unguarded), "E3001"));
  CHECK(contains(verdict(unguarded), "N = 1"));
  std::string guarded = "kernel museum(N: size, x: f32[N]) -> f32[N] { truncr (8 * cdiv(N, 8) - N) flatten "
                        "gen o < cdiv(N, 8), l < 8 "
                        "{ [o * 8 + l < N] 2.0 * x[o * 8 + l] } }";
  std::vector<std::pair<Valuation, Tensors>> cases;
  for (std::int64_t n : {0, 1, 7, 8, 9, 17})
    cases.push_back({{{"N", n}}, {{"x", ramp(Elem::f32, {n})}}});
  runs_right(guarded, cases);
}

TEST_CASE("museum 16: overflow in bounds arithmetic, shape products that wrap, extents over int32") {
  CHECK(contains(verdict("kernel museum(N: size, x: f32[N]) -> f32[N] where N <= 9223372036854775807 { gen i "
                         "< N { x[min(i * 4, N - 1)] } }"),
                 "E7006"));
  CHECK(contains(
      verdict("kernel museum(A: size, B: size, C: size) -> f32[A * B * C] { gen i < A * B * C { 1.0 } }"),
      "E7006"));
  std::string text = "kernel museum(N: size, M: size, x: f64[N, M]) -> f64 where N <= 4294967296, M <= "
                     "4294967296 { sum i < N, j < M { x[i, j] } }";
  CHECK(verdict(text) == "");
}

TEST_CASE("museum 19: the specification of a transposed product assumed that A is square") {
  std::string wrong = "kernel museum(M: size, N: size, K: size, A: f32[K, M], B: f32[K, N]) -> f32[M, N] { "
                      "gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } } }";
  CHECK(contains(verdict(wrong), "E7001"));
  std::string right = "kernel museum(M: size, N: size, K: size, A: f32[K, M], B: f32[K, N]) -> f32[M, N] { "
                      "gen i < M, j < N { sum k < K { A[k, i] * B[k, j] } } }";
  runs_right(right, {{{{"M", 3}, {"N", 5}, {"K", 2}},
                      {{"A", ramp(Elem::f32, {2, 3})}, {"B", ramp(Elem::f32, {2, 5})}}}});
}

TEST_CASE("museum 22: part of a buffer was filled, all of it copied out") {
  std::string text = "kernel museum(N: size, x: f32[N]) -> f32[N + 3] { let t = padr 3 gen i < N { [i % 2 == "
                     "0] x[i] }; gen i < N + 3 { t[i] + 1.0 } }";
  std::vector<std::pair<Valuation, Tensors>> cases;
  for (std::int64_t n : {0, 1, 4, 5})
    cases.push_back({{{"N", n}}, {{"x", ramp(Elem::f32, {n})}}});
  runs_right(text, cases);
}

} // namespace atl::museum_test
