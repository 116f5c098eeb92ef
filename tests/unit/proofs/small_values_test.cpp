// Factors with a few values, one case for each.
#include "tests/unit/proofs/proofs_cases.h"

#include "proofs/discharge.h"
#include "proofs/z3/small_values.h"
#include "proofs/z3/solve.h"

#include <doctest/doctest.h>

namespace atl::small_values_test {

using namespace atl::proofs;
using namespace atl::proofs_cases;

namespace {

std::vector<Case> cases(const std::vector<std::string> &hypotheses, const std::string &claim) {
  std::vector<Pred> all;
  for (const std::string &hypothesis : hypotheses)
    all.push_back(pred(hypothesis));
  return for_each_small_value(all, pred(claim));
}

std::size_t count(const std::vector<std::string> &hypotheses, const std::string &claim) {
  return cases(hypotheses, claim).size();
}

} // namespace

TEST_CASE("a factor with two values makes two cases, in which there is no product") {
  std::vector<Case> two = cases({"0 <= i < 2", "0 <= N"}, "i * (N / 4) <= N");
  REQUIRE(two.size() == 2);
  CHECK(to_string(two[0].claim) == "0 <= N");
  CHECK(to_string(two[1].claim) == "N / 4 <= N");
  CHECK(to_string(two[1].hypotheses.back()) == "i == 1");
}

TEST_CASE("a factor may be an expression, and there may be two") {
  CHECK(count({"0 <= max(N - 3, 0) < 2"}, "max(N - 3, 0) * N < 9") == 2);
  CHECK(count({"0 <= i < 2", "-1 <= j <= 1"}, "i * N + j * M < 9") == 6);
  CHECK(count({"0 <= i < 4", "0 <= j < 4"}, "i * N + j * M < 9") == 4); // sixteen would be too many
}

TEST_CASE("one case where no factor has few values, or none is known to") {
  CHECK(count({"0 <= i < 2"}, "i + N < 9") == 1);
  CHECK(count({"0 <= i < 2"}, "3 * i < 9") == 1);
  CHECK(count({"0 <= i < 5"}, "i * N < 9") == 1);
  CHECK(count({"0 <= i"}, "i * N < 9") == 1);
  CHECK(count({"0 <= i < M"}, "i * N < 9") == 1);
  CHECK(count({"2 <= i < 2"}, "i * N < 9") == 1);
  CHECK(count({"i >= -9223372036854775807", "i <= 9223372036854775807"}, "i * N < 9") == 1);
}

TEST_CASE("a maximum has two sides, for each of which Z3 needs no nonlinear arithmetic") {
  const std::vector<Pred> hypotheses{pred("0 <= k < M"), pred("0 <= y < N")};
  const Pred claim = pred("y % max(M, 1) == y % M");
  z3::context context;
  auto answer = [&](const Case &c) {
    return solve(context, counterexample_formula(c.hypotheses, c.claim), proofs::Effort::quick, Deadline());
  };
  CHECK(answer({hypotheses, claim}) == z3::unknown);
  const std::vector<Case> sides = for_each_side(hypotheses, claim);
  REQUIRE(sides.size() == 2);
  for (const Case &side : sides)
    CHECK(answer(side) == z3::unsat);
  CHECK(to_string(sides[0].claim) == "y % M == y % M");
  CHECK(for_each_side(hypotheses, pred("y * M < N")).size() == 1);
  CHECK(for_each_side({}, pred("min(min(min(a, b), c), min(d, e)) < N")).size() == 8);
}

TEST_CASE("blocks of which the last one is shorter: claims with products of what is 0 or 1") {
  Obligation o = parsed({"0 <= K", "0 <= k < K"}, {"0 <= max(k / 4 + 1 - K / 4, 0) < 2",
                                                   "max(k / 4 + 1 - K / 4, 0) * (K / 4) <= k / 4"});
  CHECK(Prover().decide(o).status == Verdict::Status::proved);
  CHECK(Prover().proves(o));
  o.claims[1].holds = pred("max(k / 4 + 1 - K / 4, 0) * (K / 4) < k / 4");
  CHECK(Prover().decide(o).status == Verdict::Status::refuted);
  CHECK(!Prover().proves(o));
}

} // namespace atl::small_values_test
