// In which order C computes indices and offsets: each step fits, and values stay what they are.
#include "lowering/nest/evaluation.h"

#include "atl/index/known.h"
#include "proofs/discharge.h"
#include "typed_trees.h"

#include <doctest/doctest.h>

#include <random>

namespace atl::evaluation_test {

using lowering::Evaluation;
using trees::n;
using trees::v;

namespace {

constexpr std::int64_t limit = 2147483647, most = 9223372036854775807;

Index plus(Index a, Index b) {
  return binary(IndexOp::add, std::move(a), std::move(b));
}
Index minus(Index a, Index b) {
  return binary(IndexOp::sub, std::move(a), std::move(b));
}
Index times(Index a, Index b) {
  return binary(IndexOp::mul, std::move(a), std::move(b));
}

// Loops below N and M; P and Q are nearly 2^63.
Evaluation order() {
  return {{{"N", {0, limit}}, {"M", {0, limit}}, {"P", {0, most - 10}}, {"Q", {0, most - 10}}},
          {{"i", n(0), v("N")}, {"j", n(0), v("M")}, {"k", n(0), v("M")}}};
}

} // namespace

TEST_CASE("evaluation: sums in sums are computed term by term where each partial sum fits") {
  CHECK(equal(order().of(plus(v("i"), plus(v("j"), n(1)))), plus(plus(v("i"), v("j")), n(1))));
  CHECK(equal(order().of(plus(v("i"), minus(v("P"), v("Q")))), plus(v("i"), minus(v("P"), v("Q")))));
  CHECK(equal(order().of(minus(v("i"), plus(v("j"), n(1)))), minus(v("i"), plus(v("j"), n(1)))));
  CHECK(equal(order().of(plus(v("i"), n(-3))), minus(v("i"), n(3))));
  CHECK(equal(order().of(plus(v("i"), times(n(-2), v("j")))), minus(v("i"), times(n(2), v("j")))));
  // 2*P may need more than 64 bits.
  CHECK(equal(order().of(plus(v("i"), times(n(-2), v("P")))), plus(v("i"), times(n(-2), v("P")))));
}

TEST_CASE("evaluation: of an offset, the indices are those of a cell") {
  const Shape two{v("N"), plus(v("M"), n(10))}, three{v("N"), v("M"), v("M")};
  const Index rows = times(v("i"), two[1]);
  CHECK(equal(order().offset(two, {v("i"), plus(v("j"), n(3))}, 4), plus(plus(rows, v("j")), n(3))));
  const Index far = plus(v("j"), minus(v("P"), v("Q")));
  CHECK(equal(order().offset(two, {v("i"), far}, 1), plus(plus(rows, v("j")), minus(v("P"), v("Q")))));
  // Three dimensions of 2^31 need 93 bits, but not all cells together.
  const Index planes = times(plus(times(v("i"), v("M")), v("j")), v("M"));
  const std::vector<Index> next{v("i"), v("j"), plus(v("k"), n(1))},
      previous{v("i"), v("j"), minus(v("k"), n(2))};
  CHECK(equal(order().offset(three, next, 4), plus(plus(planes, v("k")), n(1))));
  CHECK(equal(order().offset(three, previous, 4), minus(plus(planes, v("k")), n(2))));
  // Without the 2, the number of a byte may be 2^63.
  CHECK(equal(order().offset(three, previous, 1), plus(planes, minus(v("k"), n(2)))));
  CHECK(!order().fits(order().offset(three, next))); // outside of the cells
}

TEST_CASE("evaluation: an index that is added to any row") {
  CHECK(order().fits_term_by_term(v("k"), 1));
  CHECK(order().fits_term_by_term(plus(v("k"), n(2)), 1));
  CHECK(order().fits_term_by_term(minus(v("k"), n(2)), 4));
  CHECK(!order().fits_term_by_term(minus(v("k"), n(2)), 1));
  CHECK(!order().fits_term_by_term(minus(v("P"), v("Q")), 4));
  const Shape two{v("N"), v("M")};
  const Index before = minus(v("j"), n(2)), rows = times(v("i"), v("M"));
  CHECK(equal(order().offset(two, {v("i"), before}, 4), minus(plus(rows, v("j")), n(2))));
  CHECK(equal(order().offset(two, {v("i"), before}, 4, {before}), plus(rows, before)));
}

TEST_CASE("evaluation: the values stay the same") {
  std::mt19937 random(7);
  const std::vector<Index> leaves{v("i"), v("j"), v("k"), v("N"), v("P"),  v("Q"),
                                  n(0),   n(1),   n(-1),  n(-7),  n(65536)};
  const std::vector<IndexOp> ops{IndexOp::add, IndexOp::sub, IndexOp::add, IndexOp::mul, IndexOp::min};
  std::function<Index(int)> make = [&](int depth) -> Index {
    if (depth == 0 || random() % 5 == 0)
      return leaves[random() % leaves.size()];
    const IndexOp op = ops[random() % ops.size()];
    return binary(op, make(depth - 1), make(depth - 1));
  };
  const Valuation values{{"i", 3}, {"j", 5}, {"k", 2}, {"N", 9}, {"P", 1000}, {"Q", 77}};
  int changed = 0;
  for (int round = 0; round < 2000; ++round) {
    const Index e = make(5), evaluated = order().of(e);
    CHECK_MESSAGE(evaluate(e, values) == evaluate(evaluated, values), to_string(e));
    CHECK_MESSAGE((!order().fits(e) || order().fits(evaluated)), to_string(e));
    changed += equal(e, evaluated) ? 0 : 1;
  }
  CHECK(changed > 500);
}

// One dimension after the other: what holds of the number h of a row, which is below the number H of all,
// holds of the number of a cell.
TEST_CASE("evaluation: the row-major lemma") {
  const Index h = v("h"), H = v("H"), i = v("i"), R = v("R"), all = times(H, R);
  const Index rows = times(h, R), cell = plus(rows, i);
  Known known("lemma", {"H", "R"}, {in_range(n(0), h, H), in_range(n(0), i, R)});
  known.variables = {"h", "i"};
  proofs::Prover prover;
  const auto proved = [&](const Pred &claim) {
    return prover.decide(known.obligation(ObligationKind::width, Code::index_overflow, {}, "", {{claim, {}}}))
               .status == proofs::Verdict::Status::proved;
  };
  CHECK(proved(in_range(n(0), rows, all)));
  CHECK(proved(in_range(n(0), cell, all)));
  CHECK(proved(compare(PredOp::le, H, all))); // so that fewer dimensions have no more cells
  CHECK(!proved(in_range(n(0), plus(cell, n(1)), all)));
}

} // namespace atl::evaluation_test
