#include "accel/lanes/premises.h"

#include "proofs/discharge.h"

#include <doctest/doctest.h>

namespace atl::accel::premises_test {

namespace {

const Index i = variable("i"), n = variable("n");

Known place() {
  return Known("kernel", {"n"}, {compare(PredOp::ge, n, constant(0))}).inside({"i", constant(0), n});
}

} // namespace

TEST_CASE("premises: a yes is a claim, under what is known there") {
  Premises premises;
  CHECK(premises.holds(compare(PredOp::lt, i, add(n, constant(1))), place()));
  CHECK(premises.are_equal(modulo(i, n), i, place()));
  CHECK(premises.holds(compare(PredOp::ge, n, constant(5)),
                       place().where(compare(PredOp::ge, i, constant(4)))));
  const std::vector<Obligation> all = premises.obligations({}, "they are the same");
  REQUIRE(all.size() == 2); // of two places
  CHECK(all[0].claims.size() == 2);
  CHECK(all[1].hypotheses.size() == all[0].hypotheses.size() + 1);
  proofs::Prover prover;
  for (const Obligation &o : all) {
    CHECK(o.kind == ObligationKind::instr);
    CHECK(prover.proves(o));
  }
}

TEST_CASE("premises: remainders in what is known do not stand in the way") {
  // The whole vectors of n, and of what is left of 64 the whole pairs; i is in a pair.
  auto rounded = [](const Index &e, std::int64_t by) {
    return mul(floor_div(e, constant(by)), constant(by));
  };
  const Index left = modulo(n, constant(64));
  const Index pairs = binary(IndexOp::min, n, add(rounded(n, 64), rounded(add(left, constant(15)), 32)));
  const Index place_of_i = add(rounded(pairs, 64), i);
  const Known there = place().where(compare(PredOp::lt, place_of_i, pairs));
  Premises premises;
  CHECK(premises.are_equal(binary(IndexOp::min, place_of_i, n), place_of_i, there));
  const std::vector<Obligation> all = premises.obligations({}, "");
  REQUIRE(all.size() == 1);
  CHECK(proofs::Prover().proves(all[0]));
}

TEST_CASE("premises: none of a no, of what is a hypothesis, or of what is the same word by word") {
  Premises premises;
  CHECK_FALSE(premises.holds(compare(PredOp::ge, n, constant(5)), place()));
  CHECK_FALSE(premises.are_equal(i, n, place()));
  CHECK(premises.holds(compare(PredOp::lt, i, n), place()));
  CHECK(premises.are_equal(i, variable("i"), place()));
  CHECK(premises.obligations({}, "").empty());
}

TEST_CASE("premises: a way that fails leaves none behind") {
  Premises premises;
  const Known there = place();
  auto yes = [&] { return premises.holds(compare(PredOp::ge, n, constant(1)), there); };
  CHECK_FALSE(premises.attempt([&] { return yes() && premises.are_equal(i, n, there); }));
  CHECK(premises.obligations({}, "").empty());
  CHECK(premises.attempt(yes));
  CHECK(premises.obligations({}, "").size() == 1);
}

} // namespace atl::accel::premises_test
