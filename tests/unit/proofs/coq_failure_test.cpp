#include "proofs/theorem/coq_failure.h"

#include <doctest/doctest.h>

namespace atl::coq_failure_test {

using namespace atl::proofs::coq;

static const std::string file = R"(Section Sizes.
  (** a.atl:2:5: x[i] is inside x *)
  Lemma bounds_1 : forall i : Z,
    0 <= i -> i < N -> i < N.
  Proof. obligation. Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Lemma loops_2 {S : Scalars} : True.
  Proof.
    refine_program.
  Qed.
)";

TEST_CASE("an obligation that coqc does not prove has its words and place") {
  const auto lemma =
      unproved_lemma(file, "File \"a.v\", line 5, characters 9-19:\nError: No applicable tactic.\n");
  REQUIRE(lemma);
  CHECK(lemma->name == "bounds_1");
  CHECK(lemma->about == "a.atl:2:5: x[i] is inside x");
  CHECK(lemma->claim == "");
}

TEST_CASE("the claim that was not found is that of the lemma that is not proved") {
  const auto lemma = unproved_lemma(file, "not found in widths: (a < b)\n"
                                          "not found in loops:\n (forall z : Z,\n  0 <= z)\n"
                                          "File \"a.v\", line 13, characters 2-6:\nError: no\n");
  REQUIRE(lemma);
  CHECK(lemma->name == "loops_2");
  CHECK(lemma->about == "the loop nest does what lowering makes of the scheduled program");
  CHECK(lemma->claim == "(forall z : Z, 0 <= z)");
}

TEST_CASE("coqc may end without naming a place") {
  CHECK(!unproved_lemma(file, ""));
  CHECK(!unproved_lemma(file, "Error: out of memory\n"));
  CHECK(!unproved_lemma(file, "File \"a.v\", line 99, characters 2-6:\nError: no\n"));
  CHECK(!unproved_lemma(file, "File \"a.v\", line 1, characters 2-6:\nError: no\n"));
}

} // namespace atl::coq_failure_test
