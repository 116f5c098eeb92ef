// The reference interpreter on trees made by hand: each form, and the rules for cells that nothing was
// written to.
#include "atl/base/check.h"
#include "atl/meaning/eval.h"
#include "tests/unit/typed_trees.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace atl::eval_test {

using namespace atl::trees;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
using Doubles = std::vector<double>;

Tensor run(const TypedKernel &k, const Valuation &sizes = {}, const Tensors &inputs = {}) {
  return evaluate(k, sizes, inputs).at("out");
}
Doubles values(const ExprPtr &e) {
  return elements(run(kernel({}, e)));
}

ExprPtr number(const Index &index) {
  return from_index(index);
}
Pred lt(const Index &a, const Index &b) {
  return compare(PredOp::lt, a, b);
}

// 1 2 3 / 4 5 6
ExprPtr matrix() {
  return gen("r", n(2), gen("c", n(3), number(add(add(mul(v("r"), n(3)), v("c")), n(1)))));
}
ExprPtr vector(std::int64_t extent) {
  return gen("e", n(extent), number(add(v("e"), n(1))));
}

} // namespace

TEST_CASE("matrix product with symbolic sizes") {
  ExprPtr product = op("*", {at("A", {v("i"), v("k")}), at("B", {v("k"), v("j")})});
  TypedKernel matmul =
      kernel({size_param("M"), size_param("N"), size_param("K"),
              tensor_param("A", Elem::f32, {v("M"), v("K")}), tensor_param("B", Elem::f32, {v("K"), v("N")})},
             gen("i", v("M"), gen("j", v("N"), sum("k", v("K"), product))));
  Tensors inputs{{"A", floats({2, 3}, {1, 2, 3, 4, 5, 6})}, {"B", floats({3, 2}, {7, 8, 9, 10, 11, 12})}};
  Tensor out = run(matmul, {{"M", 2}, {"N", 2}, {"K", 3}}, inputs);
  CHECK(out.shape == std::vector<std::int64_t>{2, 2});
  CHECK(elements(out) == Doubles{58, 64, 139, 154});
  Tensors empty{{"A", floats({2, 0}, {})}, {"B", floats({0, 2}, {})}};
  CHECK(elements(run(matmul, {{"M", 2}, {"N", 2}, {"K", 0}}, empty)) == Doubles{0, 0, 0, 0});
}

TEST_CASE("the reshape operators") {
  CHECK(values(reshape(flatten_op, {}, matrix())) == Doubles{1, 2, 3, 4, 5, 6});
  CHECK(values(reshape(transpose_op, {}, matrix())) == Doubles{1, 4, 2, 5, 3, 6});
  CHECK(values(reshape(split_op, {n(2)}, vector(5))) == Doubles{1, 2, 3, 4, 5, 0});
  CHECK(values(reshape(truncr_op, {n(1)}, matrix())) == Doubles{1, 2, 3});
  CHECK(values(reshape(truncl_op, {n(1)}, matrix())) == Doubles{4, 5, 6});
  CHECK(values(reshape(padr_op, {n(2)}, vector(2))) == Doubles{1, 2, 0, 0});
  CHECK(values(reshape(padl_op, {n(2)}, vector(2))) == Doubles{0, 0, 1, 2});
  CHECK(values(reshape(truncr_op, {n(6)}, reshape(flatten_op, {}, matrix()))).empty());
  CHECK(run(kernel({}, reshape(split_op, {n(2)}, vector(5)))).shape == std::vector<std::int64_t>{3, 2});
}

TEST_CASE("gen with a lower bound, concat") {
  CHECK(values(gen("i", n(-2), n(2), number(v("i")))) == Doubles{-2, -1, 0, 1});
  CHECK(values(concat(vector(2), concat(vector(0), vector(3)))) == Doubles{1, 2, 1, 2, 3});
  CHECK(values(gen("i", n(2), concat(gen("j", n(1), number(v("i"))), gen("j", n(2), number(n(9)))))) ==
        Doubles{0, 9, 9, 1, 9, 9});
}

TEST_CASE("a guard contributes nothing; an unwritten cell reads as 0 or the neutral value") {
  Pred odd = compare(PredOp::eq, modulo(v("i"), n(2)), n(1));
  CHECK(values(gen("i", n(4), guard(odd, number(v("i"))))) == Doubles{0, 1, 0, 3});
  auto folded = [&](Reduction r, const Pred &p) {
    return values(reduce(r, "i", n(0), n(4), guard(p, number(sub(v("i"), n(9))))));
  };
  CHECK(folded(Reduction::sum, odd) == Doubles{-14});
  CHECK(folded(Reduction::prod, odd) == Doubles{48});
  CHECK(folded(Reduction::max, odd) == Doubles{-6});
  CHECK(folded(Reduction::min, odd) == Doubles{-8});
  CHECK(folded(Reduction::sum, truth(false)) == Doubles{0});
  CHECK(folded(Reduction::prod, truth(false)) == Doubles{1});
  CHECK(folded(Reduction::max, truth(false)) == Doubles{-inf});
  CHECK(folded(Reduction::min, truth(false)) == Doubles{inf});
  // Padding of a tensor that a reduction fills reads as the neutral value too.
  CHECK(values(reshape(padr_op, {n(1)},
                       gen("j", n(1), reduce(Reduction::max, "i", n(0), n(2), number(v("i")))))) ==
        Doubles{1, -inf});
  ExprPtr bytes = reduce(Reduction::max, "i", n(0), n(0), from_index(v("i"), Elem::i8));
  CHECK(values(bytes) == Doubles{-128});
}

TEST_CASE("a guard inside scalar arithmetic is 0 where it is false") {
  ExprPtr guarded = op("+", {real(1), guard(lt(v("i"), n(2)), number(add(v("i"), n(5))))});
  CHECK(values(gen("i", n(4), guarded)) == Doubles{6, 7, 1, 1});
  CHECK(values(reduce(Reduction::max, "i", n(0), n(4), op("-", {guard(lt(n(2), v("i")), real(-7))}))) ==
        Doubles{7});
}

TEST_CASE("a reduction of another kind, or under arithmetic, has its own accumulator") {
  ExprPtr largest = reduce(Reduction::max, "k", n(0), v("j"), number(mul(v("k"), v("j"))));
  CHECK(values(reduce(Reduction::sum, "j", n(1), n(4), largest)) == Doubles{0 + 2 + 6});
  CHECK(values(reduce(Reduction::sum, "j", n(0), n(4), largest)) == Doubles{-inf});
  ExprPtr half = op("/", {sum("k", n(4), number(v("k"))), real(2)});
  CHECK(values(gen("i", n(2), half)) == Doubles{3, 3});
  CHECK(values(sum("i", n(3), half)) == Doubles{9});
  ExprPtr nothing =
      op("+", {real(1), reduce(Reduction::prod, "k", n(0), n(3), guard(truth(false), real(5)))});
  CHECK(values(nothing) == Doubles{2});
  // A tensor inside: max over j of columns, summed; the accumulator has two cells.
  ExprPtr columns = gen("x", n(2), guard(lt(v("x"), v("j")), number(mul(v("j"), add(v("x"), n(1))))));
  ExprPtr inner = reduce(Reduction::max, "j", n(0), add(v("s"), n(2)), columns);
  CHECK(values(reduce(Reduction::sum, "s", n(1), n(3), inner)) == Doubles{2 + 3, 4 + 6});
}

TEST_CASE("contributions fold from the left, through nested reductions and reshapes alike") {
  // Summed from the left, in float, 1e8 + 1 + ... + 1 - 1e8 loses every 1; summed by rows it does not.
  ExprPtr term = select(test(compare(PredOp::eq, add(v("i"), v("j")), n(0))), real(1e8), real(1));
  ExprPtr nested = sum("i", n(2), sum("j", n(8), term));
  CHECK(values(nested) == Doubles{1e8});
  ExprPtr cell = gen("x", n(1), gen("y", n(1), sum("j", n(8), term)));
  CHECK(values(sum("i", n(2), reshape(flatten_op, {}, cell))) == Doubles{1e8});
  CHECK(values(sum("i", n(2), reshape(transpose_op, {}, reshape(transpose_op, {}, cell)))) == Doubles{1e8});
  ExprPtr separate = sum("i", n(2), op("+", {sum("j", n(8), term), real(0)}));
  CHECK(values(separate) == Doubles{1e8 + 8});
}

TEST_CASE("a sum starts at +0; what no reduction combines is kept, also next to one") {
  CHECK(std::signbit(values(gen("i", n(1), real(-0.0)))[0]));
  CHECK_FALSE(std::signbit(values(sum("i", n(1), real(-0.0)))[0]));
  ExprPtr summed = gen("x", n(1), sum("i", n(1), real(-0.0)));
  ExprPtr largest = gen("x", n(1), reduce(Reduction::max, "i", n(0), n(1), real(-0.0)));
  ExprPtr plain = gen("x", n(1), real(-0.0));
  auto negative = [](const ExprPtr &e) {
    std::vector<bool> signs;
    for (double x : values(e))
      signs.push_back(std::signbit(x));
    return signs;
  };
  CHECK(negative(concat(plain, concat(summed, concat(largest, plain)))) ==
        std::vector{true, false, true, true});
  CHECK(negative(sum("k", n(1), concat(plain, largest))) == std::vector{false, false});
}

TEST_CASE("let: a tensor, a scalar, inside loops, inside arithmetic") {
  ExprPtr rows = gen("y", n(3), number(mul(v("y"), v("i"))));
  ExprPtr use = gen("y", n(2), op("+", {at("t", {v("y")}), at("t", {add(v("y"), n(1))})}));
  CHECK(values(gen("i", n(3), let("t", rows, use))) == Doubles{0, 0, 1, 3, 2, 6});
  CHECK(values(let("s", real(4), op("*", {at("s", {}), at("s", {})}))) == Doubles{16});
  CHECK(values(op("+", {real(1), let("s", real(4), at("s", {}))})) == Doubles{5});
  // What the bound tensor leaves unwritten reads as its own neutral value.
  ExprPtr maxima = gen("y", n(2), reduce(Reduction::max, "k", n(0), v("y"), number(v("k"))));
  CHECK(values(let("m", maxima, gen("y", n(2), at("m", {v("y")})))) == Doubles{-inf, 0});
  // Sibling scopes may reuse a name.
  CHECK(values(concat(let("t", vector(1), gen("y", n(1), at("t", {n(0)}))),
                      let("t", vector(2), gen("y", n(1), at("t", {n(1)}))))) == Doubles{1, 2});
}

TEST_CASE("only what is needed is evaluated") {
  ExprPtr outside = at("A", {v("i")});
  TypedKernel k = kernel({tensor_param("A", Elem::f32, {n(2)})},
                         gen("i", n(4), select(test(lt(v("i"), n(2))), outside, real(-1))));
  CHECK(elements(run(k, {}, {{"A", floats({2}, {5, 6})}})) == Doubles{5, 6, -1, -1});
  ExprPtr positive = op(">", {outside, real(5)});
  k.results = {gen("i", n(4), op("and", {test(lt(v("i"), n(2))), positive}))};
  CHECK(elements(run(k, {}, {{"A", floats({2}, {5, 6})}})) == Doubles{0, 1, 0, 0});
  k.results = {gen("i", n(4), op("or", {test(compare(PredOp::ge, v("i"), n(2))), positive}))};
  CHECK(elements(run(k, {}, {{"A", floats({2}, {5, 6})}})) == Doubles{0, 1, 1, 1});
  k.results = {gen("i", n(4), guard(lt(v("i"), n(2)), outside))};
  CHECK(elements(run(k, {}, {{"A", floats({2}, {5, 6})}})) == Doubles{5, 6, 0, 0});
}

TEST_CASE("a range that is negative is empty") {
  CHECK(values(gen("i", n(2), n(1), real(0))).empty());
  CHECK(values(sum("i", n(-3), real(1))) == Doubles{0});
}

TEST_CASE("what obligations exclude is an internal error") {
  auto of_two = [](const ExprPtr &e) {
    return run(kernel({tensor_param("A", Elem::f32, {n(2)})}, e), {}, {{"A", floats({2}, {5, 6})}});
  };
  CHECK_THROWS_AS(of_two(at("A", {n(2)})), InternalError);
  CHECK_THROWS_AS(of_two(at("A", {n(-1)})), InternalError);
  CHECK_THROWS_AS(of_two(at("A", {n(0), n(0)})), InternalError);
  CHECK_THROWS_AS(of_two(at("B", {n(0)})), InternalError);
  CHECK_THROWS_AS(of_two(number(binary(IndexOp::div, n(1), n(0)))), InternalError);
  CHECK_THROWS_AS(of_two(number(binary(IndexOp::mul, n(1LL << 62), n(2)))), InternalError);
  CHECK_THROWS_AS(
      evaluate(kernel({tensor_param("A", Elem::f32, {n(2)})}, real(0)), {}, {{"A", floats({3}, {1, 2, 3})}}),
      InternalError);
}

TEST_CASE("conversions and indices as data") {
  CHECK(values(gen("i", n(2), to(Elem::u8, whole(300)))) == Doubles{44, 44});
  CHECK(values(to(Elem::u8, whole(300), ConvertMode::saturate)) == Doubles{255});
  CHECK(values(from_index(n(300), Elem::u8)) == Doubles{44});
  CHECK(values(from_index(n(16777217))) == Doubles{16777216});
  CHECK(values(op("/", {whole(-7), whole(2)})) == Doubles{-4});
}

TEST_CASE("lets of the kernel are shared by several outputs") {
  TypedKernel k = kernel({size_param("N")}, gen("i", v("N"), at("t", {v("i")})));
  k.lets = {{"t", gen("i", v("N"), number(v("i")))},
            {"u", gen("i", v("N"), op("*", {at("t", {v("i")}), real(2)}))}};
  k.outputs.push_back({"sum", {}, {Elem::f32, {}}});
  k.results.push_back(sum("i", v("N"), at("u", {v("i")})));
  Tensors out = evaluate(k, {{"N", 4}}, {});
  CHECK(elements(out.at("out")) == Doubles{0, 1, 2, 3});
  CHECK(elements(out.at("sum")) == Doubles{12});
  CHECK(out.at("sum").shape.empty());
}

TEST_CASE("deep nesting") {
  ExprPtr arithmetic = real(0);
  ExprPtr lets = real(0);
  ExprPtr guards = real(1);
  for (int depth = 0; depth < 500; ++depth) {
    std::string name = "x" + std::to_string(depth);
    arithmetic = op("+", {arithmetic, real(1)});
    lets = let(name, real(1), op("+", {at(name, {}), lets}));
    guards = guard(truth(true), sum(name, n(1), guards));
  }
  CHECK(values(arithmetic) == Doubles{500});
  CHECK(values(lets) == Doubles{500});
  CHECK(values(guards) == Doubles{1});
}

TEST_CASE("a scalar form by itself") {
  ExprPtr e = op("+", {at("A", {v("i"), add(v("i"), n(1))}), from_index(v("i"))});
  auto read = [](const std::string &tensor, const std::vector<std::int64_t> &indices) {
    CHECK(tensor == "A");
    return make_real(Elem::f32, static_cast<double>(10 * indices[0] + indices[1]));
  };
  CHECK(evaluate_scalar(*e, {{"i", 3}}, read).real == 37);
  CHECK_THROWS_AS((void)evaluate_scalar(*guard(truth(true), e), {{"i", 3}}, read), InternalError);
}

} // namespace atl::eval_test
