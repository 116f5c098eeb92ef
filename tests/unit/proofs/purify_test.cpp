// Which quotients stand in a purified expression, and what is said of them.
#include "proofs/z3/purify.h"

#include <doctest/doctest.h>

namespace atl::purify_test {

using namespace atl::proofs;

TEST_CASE("what a divisor divides is taken out of a quotient, which is then the same as another") {
  const Index n = variable("N"), pages = floor_div(n, constant(4096));
  const Index rows = floor_div(sub(n, mul(pages, constant(4096))), constant(32));
  Purifier purifier;
  const Index most_rows = purifier.pure(floor_div(n, constant(32)));
  CHECK(to_string(purifier.pure(rows)) == "0 - q!3 * 128 + " + to_string(most_rows));
  CHECK(to_string(purifier.pure(modulo(add(n, constant(64)), constant(32)))) == "r!2");
  CHECK(to_string(purifier.pure(binary(IndexOp::mod, mul(n, constant(8)), constant(4)))) == "0");
  CHECK(purifier.quotients().size() == 2);
  CHECK(purifier.definitions().size() ==
        2 * 3 + 2); // the last two: N / 32 lies between N / 4096 * 128 and 128 more
}

TEST_CASE("a remainder is divided as what it remains of, which has quotients in common with it") {
  const Index n = variable("N"), four = constant(4), two = constant(2);
  Purifier purifier;
  CHECK(to_string(purifier.pure(modulo(n, two))) == "r!2");
  CHECK(to_string(purifier.pure(floor_div(modulo(n, four), two))) == "0 - q!3 * 2 + q!1");
  CHECK(to_string(purifier.pure(modulo(add(modulo(n, four), constant(8)), two))) == "r!2");
  CHECK(to_string(purifier.pure(floor_div(modulo(n, two), four))) == "q!5"); // 2 is no multiple of 4
}

TEST_CASE("quotients of numbers that differ by a number are compared") {
  const Index n = variable("N"), eight = constant(8);
  Purifier purifier;
  purifier.pure(floor_div(add(n, constant(3)), eight));
  const std::size_t known = purifier.definitions().size();
  purifier.pure(floor_div(sub(n, constant(10)), eight));
  REQUIRE(purifier.definitions().size() == known + 3 + 2);
  CHECK(to_string(purifier.definitions()[known + 3]) == "q!1 + -2 <= q!3");
  CHECK(to_string(purifier.definitions()[known + 4]) == "q!3 <= q!1 + -2 + 1");
}

} // namespace atl::purify_test
