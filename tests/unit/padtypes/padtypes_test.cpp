// Pad types and the truncation check on examples.
#include "padtypes/demand.h"
#include "tests/unit/padtypes/padtypes_brute.h"

#include <doctest/doctest.h>

namespace atl::padtypes_test {

using namespace atl::padtypes;
using namespace atl::padtypes::brute;

namespace {

std::string type_of(const std::vector<std::string> &sizes, const ExprPtr &e) {
  TypedKernel k = sized_kernel(sizes, e);
  return to_string(infer_pad(e, place_of(k)));
}

// The obligations that remain; each program here must be right or wrong as the exact padding says.
std::vector<Obligation> asked(const std::vector<std::string> &sizes, const ExprPtr &e) {
  return check_pads(sized_kernel(sizes, e)).obligations;
}

bool all_hold(const std::vector<Obligation> &obligations, const Valuation &sizes) {
  return std::all_of(obligations.begin(), obligations.end(),
                     [&](const Obligation &o) { return holds(o, sizes); });
}

std::string filled_in(const Template &text, const Valuation &values) {
  std::string result;
  for (const auto &part : text)
    if (const Index *e = std::get_if<Index>(&part))
      result += std::to_string(number(*e, values));
    else
      result += std::get<std::string>(part);
  return result;
}

Pred lt(Index a, Index b) {
  return compare(PredOp::lt, std::move(a), std::move(b));
}
ExprPtr one() {
  return real(1);
}
ExprPtr truncr(Index k, ExprPtr e) {
  return reshape(truncr_op, {std::move(k)}, std::move(e));
}
ExprPtr truncl(Index k, ExprPtr e) {
  return reshape(truncl_op, {std::move(k)}, std::move(e));
}
ExprPtr padr(Index k, ExprPtr e) {
  return reshape(padr_op, {std::move(k)}, std::move(e));
}
ExprPtr padl(Index k, ExprPtr e) {
  return reshape(padl_op, {std::move(k)}, std::move(e));
}
ExprPtr split(Index k, ExprPtr e) {
  return reshape(split_op, {std::move(k)}, std::move(e));
}
ExprPtr flatten(ExprPtr e) {
  return reshape(flatten_op, {}, std::move(e));
}
ExprPtr transpose(ExprPtr e) {
  return reshape(transpose_op, {}, std::move(e));
}

ExprPtr row(Index count) {
  return gen("j", std::move(count), one());
}
ExprPtr no_data(Index count) {
  return gen("p", std::move(count), guard(lt(v("p"), n(0)), one()));
}
ExprPtr below(const std::string &var, Index bound, ExprPtr e) {
  return guard(lt(v(var), std::move(bound)), std::move(e));
}

// How much longer the tiles of k are than n.
Index overhang(const Index &n, const Index &k) {
  return sub(mul(k, ceil_div(n, k)), n);
}

// gen io < cdiv(N, k), ii < k { [io * k + ii < N] 1.0 }
ExprPtr tiles(const Index &n_, const Index &k) {
  Index at = add(mul(v("io"), k), v("ii"));
  return gen("io", ceil_div(n_, k), gen("ii", k, guard(lt(at, n_), one())));
}

// Section 7.1.2 of the paper: k x k tiles of an A x C matrix.
ExprPtr tiled_matmul(const Index &k) {
  Pred inside = conj(lt(add(mul(v("jo"), k), v("ji")), v("C")), lt(add(mul(v("io"), k), v("ii")), v("A")));
  ExprPtr tile = gen("ji", k, gen("ii", k, guard(inside, sum("l", v("B"), one()))));
  ExprPtr rows = truncr(overhang(v("C"), k), flatten(gen("jo", ceil_div(v("C"), k), tile)));
  return truncr(overhang(v("A"), k), flatten(gen("io", ceil_div(v("A"), k), transpose(rows))));
}

} // namespace

TEST_CASE("pads: a guarded loop is padding at its ends") {
  CHECK(type_of({}, gen("i", n(8), below("i", n(5), one()))) == "[5 of data, 3 pad]");
  CHECK(type_of({}, gen("i", n(2), n(8), below("i", n(5), one()))) == "[3 of data, 3 pad]");
  CHECK(type_of({"N"}, gen("i", v("N"), one())) == "[N of data]");
  CHECK(type_of({"N"}, gen("i", add(v("N"), n(3)), below("i", v("N"), one()))) == "[N of data, 3 pad]");
  Pred window = conj(compare(PredOp::ge, v("i"), n(2)), lt(v("i"), add(v("N"), n(2))));
  CHECK(type_of({"N"}, gen("i", add(v("N"), n(5)), guard(window, one()))) == "[2 pad, N of data, 3 pad]");
  Pred doubled = lt(mul(v("i"), n(2)), v("N"));
  CHECK(type_of({"N"}, gen("i", v("N"), guard(doubled, one()))) ==
        "[cdiv(N, 2) of data, N - cdiv(N, 2) pad]");
  Pred quotient = lt(floor_div(v("i"), n(4)), v("N"));
  CHECK(type_of({"N"}, gen("i", add(mul(v("N"), n(4)), n(7)), guard(quotient, one()))) ==
        "[N * 4 of data, 7 pad]");
}

TEST_CASE("pads: loops of known length are looked at one iteration at a time") {
  Pred square = lt(mul(v("i"), v("i")), n(10));
  CHECK(type_of({}, gen("i", n(6), guard(square, one()))) == "[4 of data, 2 pad]");
  Pred odd = compare(PredOp::eq, modulo(v("i"), n(2)), n(1));
  CHECK(type_of({}, gen("i", n(7), guard(odd, one()))) == "[1 pad, 5 of data, 1 pad]");
  ExprPtr stairs = gen("i", n(3), gen("j", n(4), guard(lt(v("j"), add(v("i"), n(1))), one())));
  CHECK(type_of({}, stairs) == "[1 of [1 of data, 3 pad], 2 of [3 of data, 1 pad]]");
}

TEST_CASE("pads: reductions, lets and guards") {
  CHECK(type_of({"N"}, sum("k", n(0), row(v("N")))) == "[N pad]");
  CHECK(type_of({"N"}, sum("k", v("N"), gen("i", n(4), below("i", n(3), one())))) == "[3 of data, 1 pad]");
  ExprPtr growing = gen("i", n(4), guard(lt(v("i"), add(v("k"), n(1))), one()));
  CHECK(type_of({}, sum("k", n(3), growing)) == "[3 of data, 1 pad]");
  CHECK(type_of({"N"}, let("t", row(n(2)), no_data(v("N")))) == "[N pad]");
  CHECK(type_of({"N"}, guard(lt(v("N"), n(0)), row(n(3)))) == "[3 pad]");
  CHECK(type_of({"N"}, guard(lt(v("N"), n(4)), row(n(3)))) == "[3 of data] if N < 4");
  ExprPtr separate = reduce(Reduction::max, "k", n(0), v("N"), one());
  CHECK(type_of({"N"}, sum("l", n(2), gen("i", n(4), below("i", n(3), separate)))) == "[3 of data, 1 pad]");
  ExprPtr padded_inside = reduce(Reduction::max, "k", n(0), v("N"), gen("i", n(4), below("i", n(3), one())));
  CHECK(type_of({"N"}, sum("l", n(2), padded_inside)) == "[4 of data]");
}

TEST_CASE("pads: reshape operators move padding") {
  ExprPtr padded = gen("i", n(8), below("i", n(5), one()));
  CHECK(type_of({}, padr(n(2), padded)) == "[5 of data, 5 pad]");
  CHECK(type_of({}, padl(n(2), padded)) == "[2 pad, 5 of data, 3 pad]");
  CHECK(type_of({}, truncr(n(2), padded)) == "[5 of data, 1 pad]");
  CHECK(type_of({}, truncl(n(1), padl(n(2), padded))) == "[1 pad, 5 of data, 3 pad]");
  CHECK(type_of({}, split(n(4), padded)) == "[1 of [4 of data], 1 of [1 of data, 3 pad]]");
  CHECK(type_of({}, split(n(2), padded)) == "[2 of [2 of data], 1 of [1 of data, 1 pad], 1 pad]");
  CHECK(type_of({"N"}, split(n(4), row(v("N")))) ==
        "[cdiv(N, 4) - 1 of [4 of data], 1 of [N + 4 - cdiv(N, 4) * 4 of data, cdiv(N, 4) * 4 - N pad]]");
  ExprPtr ragged = gen("i", v("N"), gen("j", n(4), below("j", n(3), one())));
  CHECK(type_of({"N"}, transpose(ragged)) == "[3 of [N of data], 1 pad]");
  CHECK(type_of({"N"}, transpose(padr(n(1), ragged))) == "[3 of [N of data, 1 pad], 1 pad]");
  CHECK(type_of({"N"}, flatten(padr(n(2), ragged))) == "[3 of data, ..., 3 of data, 9 pad]");
}

TEST_CASE("pads: flatten of padding alone, and of nothing") {
  CHECK(type_of({"N"}, flatten(gen("i", v("N"), no_data(n(4))))) == "[N * 4 pad]");
  CHECK(type_of({}, flatten(gen("i", n(0), row(n(4))))) == "[]");
  CHECK(asked({"N"}, truncr(mul(v("N"), n(4)), flatten(gen("i", v("N"), no_data(n(4)))))).empty());
}

TEST_CASE("pads: padding runs through the seam of a concat") {
  ExprPtr data = gen("i", v("N"), one());
  CHECK(type_of({"N"}, concat(data, no_data(n(3)))) == "[N of data, 3 pad]");
  CHECK(type_of({"N"}, concat(no_data(n(3)), padl(n(1), data))) == "[4 pad, N of data]");
  CHECK(type_of({"N"}, concat(data, padr(n(1), gen("k", n(2), one())))) == "[N + 2 of data, 1 pad]");
  CHECK(asked({"N"}, truncl(n(4), concat(no_data(n(3)), padl(n(1), data)))).empty());
  CHECK_FALSE(asked({"N"}, truncl(n(5), concat(no_data(n(3)), padl(n(1), data)))).empty());
}

TEST_CASE("pads: tiles that overhang") {
  for (const Index &k : {n(4), v("k")}) {
    std::string width = to_string(k);
    CAPTURE(width);
    TypedKernel kernel = sized_kernel({"N", "k"}, truncr(overhang(v("N"), k), flatten(tiles(v("N"), k))));
    kernel.assumptions.push_back(compare(PredOp::ge, v("k"), n(1)));
    const ExprPtr &flat = std::get<Reshape>(kernel.results[0]->node).child;
    CHECK(to_string(infer_pad(flat, place_of(kernel))) ==
          "[N of data, cdiv(N, " + width + ") * " + width + " - N pad]");
    CHECK(check_pads(kernel).obligations.empty());
    CHECK(truncation_demands(kernel, ByType::include).size() == 1);
    for (std::int64_t size = 0; size <= 9; ++size)
      CHECK(holds(truncation_demands(kernel, ByType::include)[0], {{"N", size}, {"k", 3}}));
  }
}

TEST_CASE("pads: tiled matrix multiplication needs no solver") {
  for (const Index &k : {n(4), v("k")}) {
    TypedKernel kernel = sized_kernel({"A", "B", "C", "k"}, tiled_matmul(k));
    kernel.assumptions.push_back(compare(PredOp::ge, v("k"), n(1)));
    CHECK(to_string(infer_pad(kernel.results[0], place_of(kernel))) == "[A of [C of data]]");
    CHECK(check_pads(kernel).obligations.empty());
    CHECK(truncation_demands(kernel, ByType::include).size() == 2);
  }
}

TEST_CASE("pads: a truncation of something computed is refused where it was computed") {
  ExprPtr e = truncr(n(3), gen("i", add(v("M"), n(3)), guard(lt(v("i"), add(v("M"), n(1))), one())));
  auto obligations = asked({"M"}, e);
  REQUIRE(obligations.size() == 1);
  const Obligation &o = obligations[0];
  CHECK(o.kind == ObligationKind::pad);
  CHECK(o.code == Code::truncates_data);
  CHECK(o.kernel == "k");
  CHECK(o.sizes == std::vector<std::string>{"M"});
  CHECK(o.variables == std::vector<std::string>{"i"});
  CHECK_FALSE(holds(o, {{"M", 0}}));
  CHECK_FALSE(holds(o, {{"M", 5}}));
  REQUIRE(o.claims.size() == 1);
  CHECK(evaluate(o.claims[0].holds, {}) == false);
  CHECK(filled_in(o.claims[0].otherwise, {{"M", 5}, {"i", 5}}) ==
        "computes cell 5 of 8, but truncr keeps only the first 5");
  REQUIRE(o.notes.size() == 1);
  CHECK(o.notes[0].text == "truncr 3 cuts the last 3 of M + 3 here");
}

TEST_CASE("pads: the overhang of M in tiles of 4 is not 4 - M % 4") {
  Index amount = sub(n(4), modulo(v("M"), n(4)));
  ExprPtr padded = gen("i", mul(n(4), ceil_div(v("M"), n(4))), below("i", v("M"), one()));
  auto obligations = asked({"M"}, truncr(amount, padded));
  CHECK_FALSE(obligations.empty());
  for (std::int64_t size = 1; size <= 12; ++size) {
    CAPTURE(size);
    CHECK(all_hold(obligations, {{"M", size}}) == (size % 4 != 0));
  }
}

TEST_CASE("pads: what an inner truncation cuts is not an outer one's") {
  ExprPtr e = truncr(n(1), truncr(n(2), gen("i", n(6), below("i", n(5), one()))));
  auto obligations = asked({}, e);
  REQUIRE(obligations.size() == 2);
  CHECK_FALSE(holds(obligations[0], {})); // the inner one cuts cell 4
  CHECK_FALSE(holds(obligations[1], {})); // the outer one cell 3
  auto inner_only = asked({}, truncr(n(0), truncr(n(2), gen("i", n(6), below("i", n(5), one())))));
  CHECK(inner_only.size() == 1);
}

TEST_CASE("pads: truncations inside lets, accumulators and scalars are checked as well") {
  ExprPtr wrong = truncr(n(1), row(n(3)));
  CHECK_FALSE(all_hold(asked({}, let("t", wrong, gen("i", n(2), at("t", {v("i")})))), {}));
  ExprPtr in_scalar = let("t", wrong, at("t", {n(0)}));
  CHECK_FALSE(all_hold(asked({}, gen("i", n(2), op("+", {one(), in_scalar}))), {}));
  CHECK(all_hold(asked({}, gen("i", n(2), op("+", {one(), guard(lt(v("i"), n(0)), in_scalar)}))), {}));
  ExprPtr maximum = reduce(Reduction::max, "k", n(0), n(2), below("k", n(0), wrong));
  CHECK(all_hold(asked({}, sum("l", n(2), maximum)), {}));
  CHECK_FALSE(all_hold(asked({}, truncr(n(1), sum("l", n(2), maximum))), {})); // its cells are all stored
}

} // namespace atl::padtypes_test
