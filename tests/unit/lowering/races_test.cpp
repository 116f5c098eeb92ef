// Parallel and vectorized loops: what their iterations may share, and how a race is told.
#include "lowering/verify/verify.h"

#include "cbackend/cbackend_kernels.h"
#include "lowering/nest/run_loops.h"
#include "proofs/discharge.h"

#include <doctest/doctest.h>

namespace atl::races_test {

using namespace atl::lowering;
using namespace atl::testing;

namespace {

Stmt loop_in(LoopMode mode, const std::string &var, Index hi, Block body) {
  return {For{var, constant(0), std::move(hi), std::move(body), mode, {}}};
}

ExprPtr one() {
  return literal(1.0);
}

// Over sizes N and M, an input A[N, M] and an output out[N, M].
LoopKernel with(Block body) {
  LoopKernel k = kernel("k", std::move(body));
  add_size(k, "N");
  add_size(k, "M");
  add_input(k, "A", Elem::f32, {ix("N"), ix("M")});
  add_output(k, "out", Elem::f32, {ix("N"), ix("M")});
  return k;
}

// What is said about the first race; nothing if all race obligations are proved.
std::string race(const LoopKernel &k, int *obligations = nullptr) {
  proofs::Prover prover;
  int count = 0;
  std::string said;
  for (const Obligation &o : verify(k)) {
    if (o.kind != ObligationKind::race)
      continue;
    ++count;
    auto problem = proofs::explain(o, prover.decide(o));
    if (problem && said.empty())
      said = problem->message + (problem->notes.empty() ? "" : " / " + problem->notes[0].text);
  }
  if (obligations)
    *obligations = count;
  return said;
}

Stmt rows(LoopMode outer, LoopMode inner, Block body) {
  return loop_in(outer, "y", ix("N"), {loop_in(inner, "x", ix("M"), std::move(body))});
}

constexpr auto in_order = LoopMode::sequential;
constexpr auto parallel = LoopMode::parallel;
constexpr auto vectorized = LoopMode::vectorized;

} // namespace

TEST_CASE("races: iterations that store their own rows do not race") {
  int obligations = 0;
  Stmt cell = store("out", {ix("y"), ix("x")}, one());
  CHECK(race(with({rows(parallel, in_order, {cell})}), &obligations).empty());
  CHECK(obligations == 1);
  CHECK(race(with({rows(parallel, vectorized, {cell})}), &obligations).empty());
  CHECK(obligations == 2);
  CHECK(race(with({rows(in_order, in_order, {cell})}), &obligations).empty());
  CHECK(obligations == 0);
}

TEST_CASE("races: two iterations that store one cell are shown") {
  CHECK(race(with({rows(parallel, in_order, {store("out", {ix(0), ix("x")}, one())})})) ==
        "N = 2, M = 1, y = 0, x = 0, y' = 1, x' = 0: iterations y = 0 and y' = 1 both store out[0, 0]");
  CHECK(race(with({rows(parallel, in_order,
                        {store("out", {floor_div(ix("y"), ix(2)), ix("x")}, one(), Reduction::sum)})})) ==
        "N = 2, M = 1, y = 0, x = 0, y' = 1, x' = 0: iterations y = 0 and y' = 1 both contribute to out[0, 0]"
        " / the sum needs its iterations in order: make another loop parallel");
}

TEST_CASE("races: a cell that one iteration stores and another reads") {
  // out[y, x] = 1 where y is even, out[y, x] = out[y - 1, x] where it is odd: once each, but not independent
  Pred even = compare(PredOp::eq, modulo(ix("y"), ix(2)), ix(0));
  Block body{when(even, {store("out", {ix("y"), ix("x")}, one())}),
             when(neg(even), {store("out", {ix("y"), ix("x")},
                                    read(Elem::f32, "out", {sub(ix("y"), ix(1)), ix("x")}))})};
  CHECK(race(with({rows(parallel, in_order, body)})) ==
        "N = 2, M = 1, y = 0, x = 0, y' = 1, x' = 0: iteration y = 0 stores out[0, 0], which iteration y' = "
        "1 reads");
  CHECK(race(with({rows(in_order, parallel, body)})).empty());
}

TEST_CASE("races: what is allocated in an iteration is its own") {
  auto sum_of_row = [](LoopMode y, LoopMode k) {
    Block acc{store("acc", {}, literal(0.0)),
              loop_in(k, "k", ix("M"),
                      {store("acc", {}, read(Elem::f32, "A", {ix("y"), ix("k")}), Reduction::sum)}),
              store("out", {ix("y"), ix(0)}, read(Elem::f32, "acc", {}))};
    LoopKernel kernel =
        with({loop_in(y, "y", ix("N"), {temporary("acc", Elem::f32, {}, Alloc::Storage::scalar, acc)})});
    add_where(kernel, compare(PredOp::ge, ix("M"), ix(1)));
    return kernel;
  };
  CHECK(race(sum_of_row(parallel, in_order)).empty());
  CHECK(race(sum_of_row(vectorized, in_order)).empty());
  CHECK(race(sum_of_row(in_order, parallel)) ==
        "M = 2, k = 0, k' = 1: iterations k = 0 and k' = 1 both contribute to one sum"
        " / the sum needs its iterations in order: make another loop parallel");
  CHECK(race(sum_of_row(parallel, vectorized)) ==
        "M = 2, k = 0, k' = 1: iterations k = 0 and k' = 1 both contribute to one sum"
        " / the sum needs its iterations in order: make another loop vectorized");
}

TEST_CASE("races: the iterations of a vectorized loop have no arrays of their own") {
  auto through_row = [](LoopMode mode, Alloc::Storage storage) {
    Block body{store("t", {ix(0)}, read(Elem::f32, "A", {ix("y"), ix(0)})),
               store("out", {ix("y"), ix(0)}, read(Elem::f32, "t", {ix(0)}))};
    LoopKernel kernel =
        with({loop_in(mode, "y", ix("N"), {temporary("t", Elem::f32, {ix(4)}, storage, body)})});
    add_where(kernel, compare(PredOp::ge, ix("M"), ix(1)));
    return kernel;
  };
  CHECK(race(through_row(parallel, Alloc::Storage::heap)).empty());
  CHECK(race(through_row(parallel, Alloc::Storage::stack)).empty());
  for (Alloc::Storage storage : {Alloc::Storage::heap, Alloc::Storage::stack})
    CHECK(race(through_row(vectorized, storage)) ==
          "N = 2, y = 0, y' = 1: iterations y = 0 and y' = 1 both store t[0]"
          " / iterations of a vectorized loop share the arrays inside it, such as t");
}

TEST_CASE("races: loops that do not run in order say so in print") {
  CHECK(print(with({rows(parallel, vectorized, {store("out", {ix("y"), ix("x")}, one())})}))
            .find("  for parallel (y = 0; y < N; y++) {\n    for vectorized (x = 0; x < M; x++) {\n") !=
        std::string::npos);
}

} // namespace atl::races_test
