// What Z3 is asked: without what leads it astray.
#include "proofs/z3/solve.h"

#include "proofs/discharge.h"
#include "tests/unit/proofs/proofs_cases.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace atl::solve_test {

using namespace atl::proofs;
using namespace atl::proofs_cases;

TEST_CASE("alternatives that have nothing to do with a claim do not stand in its way") {
  Obligation o = parsed({"0 <= F <= 2147483647", "C % 64 != 0 or F % 64 != 0 or C > 128 or W > 64",
                         "F % 64 == 0 and C % 64 == 0", "C <= 512 and W <= 32 and F >= 64",
                         "0 <= y < (H + 1) / 2", "0 <= q < (W + 1) / 2"},
                        {"F % 16 == 0"});
  CHECK(Prover().decide(o).status == Verdict::Status::proved);
  CHECK(Prover().decide(made_stricter(o)).status ==
        Verdict::Status::refuted); // the others count for counterexamples
}

TEST_CASE("that there are no values is proved without alternatives, unless they are needed") {
  std::vector<Pred> hypotheses{
      pred("0 <= j < cdiv(N - N / 8 * 8, 8)"), pred("0 <= c < 8"),
      pred("N / 16 * 16 + (N - N / 16 * 16) / 8 * 8 + (j * 8 + c) < N"),
      pred("j * 8 + c >= cdiv(N, 8) * 8 - N / 8 * 8 - (cdiv(N - N / 8 * 8, 8) * 8 - (N - N / 8 * 8))")};
  for (int i = 0; i < 9; ++i) { // nine in eight places, which takes long to refute
    Pred somewhere = truth(false);
    for (int place = 0; place < 8; ++place)
      somewhere = disj(somewhere, compare(PredOp::eq, variable(fmt::format("x{}", i)), constant(place)));
    hypotheses.push_back(somewhere);
    for (int other = 0; other < i; ++other)
      hypotheses.push_back(
          disj(pred(fmt::format("x{} < x{}", i, other)), pred(fmt::format("x{} > x{}", i, other))));
  }
  z3::context context;
  CHECK(solve(context, counterexample_formula(hypotheses, truth(false)), proofs::Effort::quick, Deadline()) ==
        z3::unsat);

  Obligation o = parsed({"N > 8 or M < 32", "M >= 32", "N < 8"}, {});
  o.claims = {{truth(false), {"all is wrong"}}};
  CHECK(Prover().decide(o).status == Verdict::Status::proved);
  o.hypotheses.pop_back();
  CHECK(Prover().decide(o).status == Verdict::Status::refuted);
}

TEST_CASE("one question about many formulas finds which of them have no model") {
  const std::vector<Pred> hypotheses{pred("0 <= i < N"), pred("0 <= j < M"), pred("N % 8 == 0")};
  std::vector<Formula> formulas;
  for (int n = 1; n <= 20; ++n)
    formulas.push_back(counterexample_formula(hypotheses, pred(fmt::format("i / {0} * {0} <= i", n))));
  formulas.push_back(counterexample_formula(hypotheses, pred("i * M + j < N * M")));
  z3::context context;
  CHECK(refuted_together(context, formulas, Deadline()) == std::vector<bool>(21, true));

  formulas[7] = counterexample_formula(hypotheses, pred("i + 1 < N"));
  formulas[13] = counterexample_formula(hypotheses, pred("i * M < N"));
  std::vector<bool> expected(21, true);
  expected[7] = expected[13] = false;
  CHECK(refuted_together(context, formulas, Deadline()) == expected);

  const Formula open = formulas[7];
  std::fill(formulas.begin(), formulas.begin() + 10,
            open); // each has the model, and one question is not enough
  CHECK(refuted_together(context, formulas, Deadline())[7] == false);
}

// 0 if the claim is not proved at once.
static unsigned steps_to_prove(const std::vector<Pred> &hypotheses, const Pred &claim) {
  z3::context context;
  if (solve(context, counterexample_formula(hypotheses, claim), proofs::Effort::quick, Deadline()) !=
      z3::unsat)
    return 0;
  const z3::stats used = z3::solver(context).statistics();
  for (unsigned n = 0; n < used.size(); ++n)
    if (used.key(n) == "rlimit count")
      return used.uint_value(n);
  return 0;
}

TEST_CASE("conditions of versions that were not chosen cost little") {
  auto steps = [](int versions, const char *claim) {
    std::vector<Pred> hypotheses{pred("0 <= N <= 2147483647"), pred("0 <= o < cdiv(N, 7)"),
                                 pred("0 <= i < 7"), pred("N % 7 == 0"), pred("0 <= k < K")};
    for (int n = 2; n < versions + 2; ++n)
      hypotheses.push_back(pred(fmt::format("N % {0} != 3 or N <= {0}", n)));
    return steps_to_prove(hypotheses, pred(claim));
  };
  for (const char *claim : {"o * 7 + i < N", "N * K + k < (N + 1) * K"}) {
    const unsigned few = steps(4, claim);
    CHECK(few > 0);
    CHECK(steps(40, claim) < 2 * few);
  }
}

TEST_CASE("that one of several transfers fills a row costs little") {
  Pred filled = pred("(o * 16 + i) / 64 * 64 + min((o * 16 + i) % 64, 15) == o * 16 + i");
  for (int before = 16; before < 64; before += 16) {
    const std::string begin = fmt::format("(o * 16 + i - {}) / 64", before);
    filled =
        disj(filled, conj(pred("0 <= " + begin),
                          pred(fmt::format("{0} * 64 + min((o * 16 + i - {1}) % 64, 15) + {1} == o * 16 + i",
                                           begin, before))));
  }
  const std::vector<Pred> hypotheses{
      pred("0 <= N <= 2147483647"), pred("N % 64 == 0"), pred("N >= 64"), pred("N <= 2048"),
      pred("0 <= o < N / 64 * 4"),  pred("0 <= i < 16")};
  const unsigned steps = steps_to_prove(hypotheses, filled);
  CHECK(steps > 0);
  CHECK(steps < 20'000);
}

TEST_CASE("that four iterations use rows of their own, halves of two banks, costs little") {
  auto row = [](int later, const char *within) {
    return fmt::format("(b + y + {0}) % 2 * 4096 + (b + y + {0}) % 4 / 2 * 1728 + {1}", later, within);
  };
  Pred all_differ = truth(true);
  for (int later : {1, 2, 3})
    all_differ = conj(all_differ, pred(row(0, "k") + " != " + row(later, "l")));
  const unsigned steps = steps_to_prove({pred("0 <= k < 1728"), pred("0 <= l < 1728")}, all_differ);
  CHECK(steps > 0);
  CHECK(steps < 10'000);
}

TEST_CASE("that a product of two numbers of blocks is small costs little") {
  const std::vector<Pred> hypotheses{pred("0 <= i < cdiv(M, 48)"), pred("0 <= j < cdiv(N, 128)")};
  const char *blocks = "cdiv(min(48, M - i * 48), 16) * cdiv(min(128, N - j * 128), 16)";
  const unsigned steps = steps_to_prove(hypotheses, pred(fmt::format("{} <= 24", blocks)));
  CHECK(steps > 0);
  CHECK(steps < 20'000);
  CHECK(steps_to_prove(hypotheses, pred(fmt::format("{} <= 23", blocks))) == 0);
}

TEST_CASE("nonlinear arithmetic is not asked about products of more than six factors") {
  z3::context context;
  auto thorough = [&](const char *claim) {
    return solve(context, counterexample_formula({pred("N >= 1")}, pred(claim)), proofs::Effort::thorough,
                 Deadline());
  };
  CHECK(thorough("N * N * N * N * N * N >= 1") == z3::unsat);
  CHECK(thorough("N * N * N * N * N * N * N >= 1") == z3::unknown);
}

} // namespace atl::solve_test
