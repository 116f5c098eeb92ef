// The loop interpreter on loop nests made by hand.
#include "atl/base/check.h"
#include "lowering/nest/run_loops.h"
#include "tests/unit/typed_trees.h"

#include <doctest/doctest.h>
#include <limits>

namespace atl::run_loops_test {

using namespace atl::trees;
using namespace atl::lowering;

namespace {

using Doubles = std::vector<double>;

Buffer buffer(const std::string &name, Shape dims, Buffer::Role role = Buffer::Role::temporary,
              Elem elem = Elem::f32) {
  return {name, elem, std::move(dims), role};
}
Stmt loop(const std::string &var, Index lo, Index hi, Block body) {
  return {For{var, std::move(lo), std::move(hi), std::move(body)}};
}
Stmt when(Pred pred, Block body) {
  return {If{std::move(pred), std::move(body)}};
}
Stmt store(const std::string &name, std::vector<Index> indices, ExprPtr value,
           std::optional<Reduction> combine = {}) {
  return {Store{name, std::move(indices), combine, std::move(value), false, {}}};
}
Stmt allocate(const std::string &name, Shape dims, Shape capacity, Block body) {
  return {Alloc{buffer(name, std::move(dims)), std::move(capacity), Alloc::Storage::heap, std::move(body)}};
}

// One size N, one input A of N elements, one output "out".
LoopKernel loops(Shape out, Block body) {
  LoopKernel k;
  k.name = "k";
  k.params = {size_param("N"), tensor_param("A", Elem::f32, {v("N")})};
  k.inputs = {buffer("A", {v("N")}, Buffer::Role::input)};
  k.outputs = {buffer("out", std::move(out), Buffer::Role::output)};
  k.assumptions = {compare(PredOp::ge, v("N"), n(0))};
  k.body = std::move(body);
  return k;
}

Tensor four() {
  return floats({4}, {1, 2, 3, 4});
}
Tensor run_on_four(const LoopKernel &k) {
  return run(k, {{"N", 4}}, {{"A", four()}}).at("out");
}

} // namespace

TEST_CASE("loops store, combine and read") {
  LoopKernel prefix_sums =
      loops({v("N")}, {loop("i", n(0), v("N"),
                            {store("out", {v("i")}, real(0)),
                             loop("j", n(0), add(v("i"), n(1)),
                                  {store("out", {v("i")}, at("A", {v("j")}), Reduction::sum)})})});
  CHECK(elements(run_on_four(prefix_sums)) == Doubles{1, 3, 6, 10});
  LoopKernel largest =
      loops({}, {store("out", {}, real(-std::numeric_limits<double>::infinity())),
                 loop("i", n(0), v("N"), {store("out", {}, at("A", {v("i")}), Reduction::max)})});
  CHECK(elements(run_on_four(largest)) == Doubles{4});
}

TEST_CASE("conditions, lower bounds, loops that do not run") {
  Pred odd = compare(PredOp::eq, modulo(v("i"), n(2)), n(1));
  LoopKernel k =
      loops({v("N")}, {loop("i", n(0), v("N"), {store("out", {v("i")}, real(7))}),
                       loop("i", n(1), v("N"), {when(odd, {store("out", {v("i")}, at("A", {v("i")}))})}),
                       loop("i", v("N"), n(0), {store("out", {n(99)}, real(0))})});
  CHECK(elements(run_on_four(k)) == Doubles{7, 2, 7, 4});
}

TEST_CASE("a temporary, whose extent may vary from iteration to iteration") {
  Block fill{loop("j", n(0), add(v("i"), n(1)), {store("t", {v("j")}, from_index(v("j")))})};
  fill.push_back(store("out", {v("i")}, at("t", {v("i")})));
  LoopKernel k =
      loops({v("N")}, {loop("i", n(0), v("N"), {allocate("t", {add(v("i"), n(1))}, {v("N")}, fill)})});
  CHECK(elements(run_on_four(k)) == Doubles{0, 1, 2, 3});
  LoopKernel small =
      loops({v("N")}, {loop("i", n(0), v("N"), {allocate("t", {add(v("i"), n(1))}, {n(3)}, fill)})});
  CHECK_THROWS_AS(run_on_four(small), InternalError);
}

TEST_CASE("scalars by value, several outputs") {
  LoopKernel k = loops(
      {v("N")}, {loop("i", n(0), v("N"), {store("out", {v("i")}, op("*", {at("A", {v("i")}), at("s", {})}))}),
                 store("other", {}, at("s", {}))});
  k.params.push_back(tensor_param("s", Elem::f32, {}));
  k.inputs.push_back(buffer("s", {}, Buffer::Role::input));
  k.outputs.push_back(buffer("other", {}, Buffer::Role::output));
  Tensors out = run(k, {{"N", 4}}, {{"A", four()}, {"s", floats({}, {10})}});
  CHECK(elements(out.at("out")) == Doubles{10, 20, 30, 40});
  CHECK(elements(out.at("other")) == Doubles{10});
}

TEST_CASE("empty sizes") {
  LoopKernel k = loops({v("N")}, {loop("i", n(0), v("N"), {store("out", {v("i")}, at("A", {v("i")}))})});
  CHECK(run(k, {{"N", 0}}, {{"A", floats({0}, {})}}).at("out").element_count() == 0);
}

TEST_CASE("what lowering excludes is an internal error") {
  auto each = [](Stmt s) { return loops({v("N")}, {loop("i", n(0), v("N"), {std::move(s)})}); };
  Index next = add(v("i"), n(1));
  CHECK_NOTHROW(run_on_four(each(store("out", {v("i")}, real(0)))));
  CHECK_THROWS_AS(run_on_four(each(store("out", {next}, real(0)))), InternalError);           // store outside
  CHECK_THROWS_AS(run_on_four(each(store("out", {v("i")}, at("A", {next})))), InternalError); // read outside
  CHECK_THROWS_AS(run_on_four(each(store("out", {v("i")}, real(1), Reduction::sum))),
                  InternalError);                                                           // not initialised
  CHECK_THROWS_AS(run_on_four(each(store("out", {n(0)}, real(1)))), InternalError);         // not filled
  CHECK_THROWS_AS(run_on_four(each(store("out", {v("i"), n(0)}, real(1)))), InternalError); // another rank
  CHECK_THROWS_AS(run_on_four(each(store("gone", {v("i")}, real(1)))), InternalError);      // no such buffer
  Block stale{allocate("t", {n(1)}, {n(1)},
                       {when(compare(PredOp::eq, v("i"), n(0)), {store("t", {n(0)}, real(1))}),
                        store("out", {v("i")}, at("t", {n(0)}))})};
  CHECK_THROWS_AS(run_on_four(loops({v("N")}, {loop("i", n(0), v("N"), stale)})),
                  InternalError); // of another iteration
  CHECK_THROWS_AS(run(each(store("out", {v("i")}, real(0))), {{"N", -1}}, {{"A", four()}}), InternalError);
}

} // namespace atl::run_loops_test
