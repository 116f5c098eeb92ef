// Unrolled loops: what the copies look like, when there are none.
#include "lowering/copies/unroll.h"

#include "cbackend/cbackend_kernels.h"
#include "lowering/nest/run_loops.h"

#include <doctest/doctest.h>

namespace atl::unroll_test {

using namespace atl::lowering;
using namespace atl::testing;

namespace {

Stmt unrolled(const std::string &var, Index lo, Index hi, Block body) {
  return {For{var, std::move(lo), std::move(hi), std::move(body), LoopMode::unrolled, {}}};
}

ExprPtr input(Index i) {
  return read(Elem::f32, "A", {std::move(i)});
}

// Over a size N, an input A[N + 16] and an output out[N + 16].
LoopKernel with(Block body) {
  LoopKernel k = kernel("k", std::move(body));
  add_size(k, "N", 1000);
  Index extent = add(ix("N"), ix(16));
  add_input(k, "A", Elem::f32, {extent});
  add_output(k, "out", Elem::f32, {extent});
  return k;
}

std::string statements(const LoopKernel &k) {
  std::string printed = print(k);
  std::size_t begin = printed.find("\n{\n") + 3;
  return printed.substr(begin, printed.size() - begin - 2);
}

std::string after(const LoopKernel &k) {
  auto result = unroll(k);
  return result ? statements(*result) : result.errors()[0].message;
}

} // namespace

TEST_CASE("unroll: one copy for each iteration") {
  CHECK(after(with({unrolled("i", ix(0), ix(3), {store("out", {ix("i")}, input(add(ix("i"), ix(1))))})})) ==
        "  out[0] = A[1];\n  out[1] = A[2];\n  out[2] = A[3];\n");
  CHECK(after(with({unrolled("i", ix(0), ix(0), {store("out", {ix("i")}, input(ix("i")))})})).empty());
}

TEST_CASE("unroll: the bounds may vary if their distance does not") {
  Index lo = mul(ix("y"), ix(2));
  CHECK(after(with({loop("y", ix(0), floor_div(ix("N"), ix(2)),
                         {unrolled("i", lo, add(lo, ix(2)), {store("out", {ix("i")}, input(ix("i")))})})})) ==
        "  for (y = 0; y < N / 2; y++) {\n"
        "    out[y * 2] = A[y * 2];\n"
        "    out[y * 2 + 1] = A[y * 2 + 1];\n"
        "  }\n");
}

TEST_CASE("unroll: nested loops, guards that the copies decide, temporaries of their own") {
  CHECK(after(with({unrolled(
            "i", ix(0), ix(3),
            {unrolled("j", ix(0), ix("i"), {store("out", {add(ix("i"), ix("j"))}, input(ix("j")))})})})) ==
        "  out[1] = A[0];\n  out[2] = A[0];\n  out[3] = A[1];\n");
  CHECK(after(with({unrolled("i", ix(0), ix(3),
                             {when(compare(PredOp::ge, ix("i"), ix(2)),
                                   {store("out", {ix("i")}, input(ix("i")))})})})) == "  out[2] = A[2];\n");
  CHECK(after(with({unrolled(
            "i", ix(0), ix(2),
            {when(compare(PredOp::lt, ix("i"), ix("N")), {store("out", {ix("i")}, input(ix("i")))})})})) ==
        "  if (0 < N) {\n    out[0] = A[0];\n  }\n  if (1 < N) {\n    out[1] = A[1];\n  }\n");
  CHECK(after(with({unrolled("i", ix(0), ix(2),
                             {temporary("t", Elem::f32, {}, Alloc::Storage::scalar,
                                        {store("t", {}, input(ix("i"))),
                                         store("out", {ix("i")}, read(Elem::f32, "t", {}))})})})) ==
        "  scalar t: f32 {\n    t = A[0];\n    out[0] = t;\n  }\n"
        "  scalar t_2: f32 {\n    t_2 = A[1];\n    out[1] = t_2;\n  }\n");
}

TEST_CASE("unroll: refused where the number of iterations is not constant, or too large") {
  CHECK(after(with({unrolled("i", ix(0), ix("N"), {store("out", {ix("i")}, input(ix("i")))})})) ==
        "cannot unroll: the number of iterations of i is not constant");
  Block cell{store("out", {ix(0)}, input(ix(0)), Reduction::sum)};
  CHECK(after(with({unrolled("i", ix(0), ix(32), {unrolled("j", ix(0), ix(32), cell)})})).size() > 10000);
  CHECK(after(with({unrolled("i", ix(0), ix(32), {unrolled("j", ix(0), ix(65), cell)})})) ==
        "cannot unroll: the copies have more than 2048 stores");
  CHECK(after(with({unrolled("i", ix(0), constant(INT64_MAX), cell)})) ==
        "cannot unroll: the copies have more than 2048 stores");
}

TEST_CASE("unroll: the order of a reduction stays") {
  LoopKernel k = with({unrolled("i", ix(0), ix(16), {store("out", {ix("i")}, literal(0.0))}),
                       unrolled("i", ix(0), ix(8), {store("out", {ix(0)}, input(ix("i")), Reduction::sum)})});
  auto result = unroll(k);
  REQUIRE(result);
  Tensor A = make_tensor(Elem::f32, {16});
  for (std::int64_t i = 0; i < 16; ++i)
    A.set(i, make_real(Elem::f32, i % 2 == 0 ? 1e8 : 0.5));
  CHECK(same_bits(run(k, {{"N", 0}}, {{"A", A}}).at("out"), run(*result, {{"N", 0}}, {{"A", A}}).at("out")));
}

} // namespace atl::unroll_test
