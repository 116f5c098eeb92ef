#include "atl/index/facts.h"
#include "atl/index/fourier_motzkin.h"
#include "atl/index/witnesses.h"

#include <doctest/doctest.h>

namespace atl::facts_test {

namespace {

const Index i = variable("i"), j = variable("j"), N = variable("N"), M = variable("M"), zero = constant(0);

Index num(std::int64_t value) {
  return constant(value);
}

Facts ranges() { // 0 <= i < N, 0 <= j < M
  Facts facts;
  facts.assume(in_range(zero, i, N));
  facts.assume(in_range(zero, j, M));
  return facts;
}

} // namespace

TEST_CASE("linear facts are combined") {
  Facts facts = ranges();
  CHECK(facts.proves(compare(PredOp::ge, N, num(1))));
  CHECK(facts.proves(compare(PredOp::lt, add(i, j), sub(add(N, M), num(1)))));
  CHECK_FALSE(facts.proves(compare(PredOp::lt, add(i, num(1)), N)));
  CHECK_FALSE(facts.proves(compare(PredOp::lt, i, M)));
}

TEST_CASE("settled facts know of a maximum what later ones decide") {
  const Index most = binary(IndexOp::max, sub(mul(num(2), N), num(2)), sub(N, num(1)));
  auto whole_eights = [](const Index &e) { return mul(floor_div(e, num(8)), num(8)); };
  Facts facts;
  facts.assume(compare(PredOp::lt, add(whole_eights(add(most, num(5))), i), add(most, num(5))));
  facts.assume(compare(PredOp::ge, N, num(1)));
  const Index last = add(mul(num(2), N), num(3));
  const Pred goal = compare(PredOp::lt, add(whole_eights(last), i), last);
  CHECK_FALSE(facts.proves(goal));
  CHECK(facts.settled().proves(goal));
  CHECK_FALSE(facts.settled().proves(compare(PredOp::lt, add(whole_eights(last), i), sub(last, num(1)))));
}

TEST_CASE("what is known already is not assumed twice, however it is written") {
  Facts facts = ranges();
  const std::size_t before = facts.all().size();
  facts.assume(in_range(zero, i, N));
  facts.assume(compare(PredOp::lt, mul(i, num(1)), N));
  CHECK(facts.all().size() == before);
  facts.assume(compare(PredOp::lt, i, M));
  CHECK(facts.all().size() == before + 1);
}

TEST_CASE("products of facts bound row-major offsets") {
  Facts facts = ranges();
  Index flat = add(mul(i, M), j);
  CHECK(facts.proves(in_range(zero, flat, mul(N, M))));
  CHECK_FALSE(facts.proves(compare(PredOp::lt, add(flat, num(1)), mul(N, M))));
}

TEST_CASE("divisions and remainders that the facts decide vanish") {
  Facts facts = ranges();
  Index flat = add(mul(i, M), j);
  CHECK(to_string(facts.simplify(floor_div(flat, M))) == "i");
  CHECK(to_string(facts.simplify(modulo(flat, M))) == "j");
  facts.assume(in_range(zero, j, num(4)));
  CHECK(to_string(facts.simplify(floor_div(add(mul(i, num(4)), j), num(4)))) == "i");
  CHECK(to_string(facts.simplify(modulo(add(mul(i, num(4)), j), num(4)))) == "j");
  CHECK(to_string(facts.simplify(floor_div(add(mul(i, num(8)), num(12)), num(4)))) == "i * 2 + 3");
  CHECK(to_string(facts.simplify(floor_div(sub(i, num(3)), num(4)))) == "(i - 3) / 4");
}

TEST_CASE("the begin of a row and the column in it add up to the cell") {
  auto printed = [](const Index &row_of, const Index &a, const Index &column_of, const Index &b) {
    return to_string(add(mul(floor_div(row_of, a), a), modulo(column_of, b)));
  };
  CHECK(printed(i, M, i, M) == "i");
  CHECK(printed(sub(i, num(3)), num(8), sub(i, num(3)), num(8)) == "i - 3");
  CHECK(printed(i, M, j, M) == "i / M * M + j % M");
  CHECK(printed(i, M, i, N) == "i / M * M + i % N");
  CHECK(to_string(add(mul(floor_div(i, num(8)), num(4)), modulo(i, num(8)))) == "i / 8 * 4 + i % 8");
  CHECK(to_string(add(mul(binary(IndexOp::cdiv, i, M), M), modulo(i, M))) == "cdiv(i, M) * M + i % M");
}

TEST_CASE("a product divided by either of its factors is the other one") {
  CHECK(to_string(floor_div(mul(N, num(8)), num(8))) == "N");
  CHECK(to_string(floor_div(mul(num(8), N), num(8))) == "N");
  CHECK(to_string(ceil_div(mul(num(8), N), num(8))) == "N");
  CHECK(to_string(ceil_div(mul(num(8), N), num(4))) == "cdiv(8 * N, 4)");
}

TEST_CASE("min and max that the facts decide vanish") {
  Facts facts = ranges();
  CHECK(to_string(facts.simplify(binary(IndexOp::min, i, N))) == "i");
  CHECK(to_string(facts.simplify(binary(IndexOp::max, i, zero))) == "i");
  CHECK(to_string(facts.simplify(binary(IndexOp::min, i, j))) == "min(i, j)");
}

TEST_CASE("a minimum is large enough where both operands are") {
  Facts facts = ranges();
  facts.assume(compare(PredOp::ge, N, num(8)));
  Index begin = binary(IndexOp::min, mul(i, num(8)), sub(N, num(8)));
  CHECK(facts.proves(compare(PredOp::ge, add(begin, i), zero)));
  CHECK(facts.proves(compare(PredOp::ge, mul(begin, M), zero)));
  CHECK_FALSE(facts.proves(compare(PredOp::ge, begin, num(1))));
  CHECK(facts.proves(compare(PredOp::le, binary(IndexOp::max, i, sub(N, num(1))), N)));
}

TEST_CASE("a hypothesis stays known where the facts decide a quotient in it") {
  auto pairs = [](const Index &e) { return mul(floor_div(e, num(32)), num(32)); };
  const Index end = binary(IndexOp::min, N, pairs(add(N, num(15)))), begin = pairs(end); // which is 0
  const Index at = add(add(mul(i, num(32)), begin), j);
  const Pred inside = compare(PredOp::lt, at, end);
  Facts facts;
  facts.assume(compare(PredOp::ge, N, zero));
  facts.assume(in_range(zero, i, sub(binary(IndexOp::cdiv, end, num(32)), floor_div(end, num(32)))));
  facts.assume(in_range(zero, j, num(16)));
  facts.assume(inside);
  facts.assume(compare(PredOp::lt, at, num(17)));
  CHECK(facts.proves(compare(PredOp::eq, begin, zero)));
  CHECK(facts.proves(inside));
}

TEST_CASE("a question takes so many goals: cases of cases are given up") {
  Facts facts;
  auto sum_of_minima = [&](int count) {
    Index sum = zero;
    for (int n = 0; n < count; ++n) {
      const Index a = variable("a" + std::to_string(n)), b = variable("b" + std::to_string(n));
      facts.assume(compare(PredOp::ge, a, zero));
      facts.assume(compare(PredOp::ge, b, zero));
      sum = add(sum, binary(IndexOp::min, a, b));
    }
    return sum;
  };
  CHECK(facts.proves_nonnegative(sum_of_minima(5)));
  CHECK_FALSE(facts.proves_nonnegative(sum_of_minima(40)));
  CHECK(facts.proves_nonnegative(sum_of_minima(4)));
}

TEST_CASE("ceiling division covers its dividend") {
  Facts facts;
  Index tiles = ceil_div(N, num(4));
  facts.assume(compare(PredOp::ge, N, zero));
  CHECK(facts.proves(compare(PredOp::ge, mul(tiles, num(4)), N)));
  CHECK(facts.proves(compare(PredOp::lt, sub(mul(tiles, num(4)), N), num(4))));
  CHECK_FALSE(facts.proves(compare(PredOp::gt, mul(tiles, num(4)), N)));
}

TEST_CASE("conjuncts that are known vanish, contradictions become false") {
  Facts facts = ranges();
  Pred known = compare(PredOp::ge, i, zero), open = compare(PredOp::lt, i, M);
  CHECK(equal(facts.simplify(conj(known, open)), open));
  CHECK(equal(facts.simplify(compare(PredOp::lt, i, zero)), truth(false)));
  CHECK(equal(facts.simplify(neg(compare(PredOp::lt, i, zero))), truth(true)));
}

TEST_CASE("sums have one normal form") {
  Facts none;
  CHECK(to_string(none.simplify(add(num(1), add(j, mul(num(4), i))))) == "i * 4 + j + 1");
  CHECK(to_string(none.simplify(sub(add(i, j), i))) == "j");
  CHECK(to_string(none.simplify(sub(sub(num(0), i), num(1)))) == "-1 - i");
  CHECK(to_string(none.simplify(mul(sub(N, num(1)), M))) == "M * N - M");
}

TEST_CASE("the cells of a tensor cut into rows are cells of the tensor, all sizes symbolic") {
  Facts facts;
  Index A = variable("A"), B = variable("B"), C = variable("C"), x = variable("x"), y = variable("y"),
        z = variable("z");
  for (const Index &size : {A, B, C})
    facts.assume(in_range(num(1), size, num(INT32_MAX)));
  facts.assume(in_range(zero, x, A));
  facts.assume(in_range(zero, y, B));
  facts.assume(in_range(zero, z, C));
  Index row = add(mul(x, B), y);
  CHECK(facts.proves(compare(PredOp::lt, row, mul(A, B))));
  CHECK(facts.proves(compare(PredOp::lt, add(mul(row, C), z), mul(mul(A, B), C))));
}

TEST_CASE("what starts after the full tiles is not negative") {
  Facts facts;
  Index tiles = floor_div(N, num(4));
  facts.assume(compare(PredOp::ge, N, zero));
  facts.assume(in_range(tiles, i, ceil_div(N, num(4))));
  facts.assume(in_range(zero, j, num(4)));
  CHECK(facts.proves(compare(PredOp::ge, add(mul(i, num(4)), j), zero)));
}

TEST_CASE("numbers near the 64-bit limits are left alone, not wrapped") {
  Facts none;
  Index big = mul(num(INT64_MAX), variable("x"));
  CHECK_FALSE(none.proves(compare(PredOp::ge, mul(big, num(2)), zero)));
  CHECK(equal(none.simplify(mul(big, num(4))), mul(big, num(4))));
}

TEST_CASE("the smallest integer has no negation, and facts with it are left out") {
  const std::vector<Inequality> contrary{{{{0, INT64_MIN}}, 0}, {{{0, 1}}, -1}, {{{0, -1}}, 0}};
  CHECK(contradictory(contrary)); // by the last two
  CHECK_FALSE(contradictory({contrary[0], contrary[1]}));
  CHECK_FALSE(contradictory({{{{0, INT64_MAX}, {1, INT64_MIN}}, 0}, {{{1, INT64_MAX}}, INT64_MIN}}));
}

TEST_CASE("what is false at values at which the facts hold does not follow from them") {
  auto at_least_zero = [](const Index &e) { return as_written(e).value(); };
  Polys facts{at_least_zero(N)};
  Witnesses witnesses;
  witnesses.learn(facts, 0);
  CHECK(witnesses.refute(at_least_zero(sub(N, num(1)))));
  CHECK(witnesses.refute(at_least_zero(sub(num(1000), i)))); // nothing is said of i
  facts.push_back(at_least_zero(i));
  facts.push_back(at_least_zero(sub(sub(N, i), num(1)))); // N is not 0 any more
  witnesses.learn(facts, 1);
  CHECK_FALSE(witnesses.refute(at_least_zero(sub(N, num(1)))));
  CHECK_FALSE(witnesses.refute(at_least_zero(sub(floor_div(i, num(2)), num(0)))));
  CHECK(witnesses.refute(at_least_zero(sub(num(100), floor_div(N, num(2))))));
  CHECK(witnesses.refute(at_least_zero(sub(i, num(1)))));
  facts.push_back(at_least_zero(sub(i, N)));
  witnesses.learn(facts, 3);
  CHECK_FALSE(witnesses.refute(poly_constant(-1))); // there are no such values
}

TEST_CASE("values that a later fact excludes are replaced, where others are possible") {
  auto at_least_zero = [](const Index &e) { return as_written(e).value(); };
  Polys facts{at_least_zero(N), at_least_zero(i)};
  Witnesses witnesses;
  witnesses.learn(facts, 0); // a size is large, and i may be one
  facts.push_back(at_least_zero(sub(floor_div(N, num(2)), add(i, num(1)))));
  witnesses.learn(facts, 2);
  CHECK(witnesses.refute(at_least_zero(sub(num(1000), N))));
}

} // namespace atl::facts_test
