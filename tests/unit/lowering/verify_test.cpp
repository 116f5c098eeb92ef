// The second check of memory safety, on loop nests that are wrong: lowering makes none of them.
#include "lowering/verify/verify.h"

#include "atl/meaning/tensor.h"
#include "proofs/discharge.h"
#include "tests/support/from_text.h"
#include "typed_trees.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace atl::verify_test {

using namespace atl::lowering;
using trees::n;
using trees::v;

namespace {

// for i < N { out[index] = 1.0 }   with out: f32[N]
LoopKernel stores_at(const Index &index) {
  LoopKernel kernel{"k", {}, {trees::size_param("N")}, {}, {}, {}, {compare(PredOp::ge, v("N"), n(0))},
                    {},  {}};
  kernel.outputs.push_back({"out", Elem::f32, {v("N")}, Buffer::Role::output});
  For loop{"i", n(0), v("N"), {}};
  loop.body.push_back({Store{"out", {index}, std::nullopt, trees::real(1), false, {}}});
  kernel.body.push_back({std::move(loop)});
  return kernel;
}

// The codes of what is refuted.
std::vector<Code> refuted(const LoopKernel &kernel) {
  proofs::Prover prover;
  std::vector<Code> codes;
  for (const Obligation &o : verify(kernel))
    if (prover.decide(o).status == proofs::Verdict::Status::refuted)
      codes.push_back(o.code);
  return codes;
}

} // namespace

TEST_CASE("a loop nest that stores each cell once is fine") {
  CHECK(refuted(stores_at(v("i"))).empty());
  CHECK(refuted(stores_at(sub(sub(v("N"), n(1)), v("i")))).empty());
}

TEST_CASE("an index that divides quotients is compared step by step") {
  const std::string twice = "flatten transpose split 8 flatten transpose split 8 ";
  proofs::Prover prover;
  for (const Obligation &o :
       verify(testing::lowered("kernel k(N: size, x: f32[8 * N]) -> f32[8 * N] { " + twice + "x }"))) {
    CAPTURE(o.what);
    CHECK(prover.decide(o).status == proofs::Verdict::Status::proved);
  }
  const Index i = v("i"), row = floor_div(modulo(i, n(6)), n(2)); // 0 and 1 are in one
  CHECK(refuted(stores_at(add(modulo(row, n(2)), floor_div(row, n(2))))) == std::vector{Code::written_twice});
}

TEST_CASE("what lowering makes of a test beside data still says where its reads are") {
  for (const std::string scalar :
       {"select(i < 0 and bool(x[0]), x[i * 3 + 5], 1.0)", "select(bool(x[0]) and i < 0, x[i * 3 + 5], 1.0)",
        "select(i >= 0 or bool(x[0]), 1.0, x[i * 3 + 5])", "select(false and bool(x[0]), x[i * 3 + 5], 1.0)",
        "select(not (i < 0 and bool(x[0])), 1.0, x[i * 3 + 5])",
        "select(i < 0 and bool(x[0]) and x[i * 3 + 5] > 0.0, 1.0, 0.0)",
        "select(i < 0 and bool(x[0]), sum j < 3 { x[i * 3 + 5 + j] }, 1.0)"}) {
    CAPTURE(scalar);
    CHECK(refuted(testing::lowered("kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { " + scalar + " } }"))
              .empty());
  }
}

TEST_CASE("a cell that is stored twice is found") {
  CHECK(refuted(stores_at(floor_div(v("i"), n(2)))) == std::vector{Code::written_twice});
}

namespace {

// if (N < 4) the nest above, if (N >= from) the same
LoopKernel in_two_versions(std::int64_t from) {
  LoopKernel kernel = stores_at(v("i"));
  const Block nest = std::move(kernel.body);
  kernel.body = {{If{compare(PredOp::lt, v("N"), n(4)), nest}},
                 {If{compare(PredOp::ge, v("N"), n(from)), nest}}};
  return kernel;
}

std::ptrdiff_t compared_stores(const LoopKernel &kernel) {
  const std::vector<Obligation> all = verify(kernel);
  return std::count_if(all.begin(), all.end(),
                       [](const Obligation &o) { return o.what.starts_with("two stores"); });
}

} // namespace

TEST_CASE("stores of two versions are compared, unless only one version runs") {
  CHECK(compared_stores(in_two_versions(4)) == 0);
  CHECK(refuted(in_two_versions(4)).empty());
  CHECK(compared_stores(in_two_versions(3)) == 1);
  CHECK(refuted(in_two_versions(3)) == std::vector{Code::written_twice});
}

TEST_CASE("a store outside its buffer is found") {
  CHECK(refuted(stores_at(add(v("i"), n(1)))) == std::vector{Code::out_of_bounds});
}

TEST_CASE("the sums on the way to an offset fit 64 bits") {
  // for i < N, j < N, k < N { out[i, j, k + 1 - 1] = 1.0 }: i*N*N + j*N may need more, but not if there is
  // memory
  LoopKernel kernel{"k", {}, {trees::size_param("N")}, {}, {}, {}, {compare(PredOp::ge, v("N"), n(0))},
                    {},  {}};
  kernel.outputs.push_back({"out", Elem::f32, {v("N"), v("N"), v("N")}, Buffer::Role::output});
  Store store{"out", {v("i"), v("j"), sub(add(v("k"), n(1)), n(1))}, std::nullopt, trees::real(1), false, {}};
  For k{"k", n(0), v("N"), {{store}}}, j{"j", n(0), v("N"), {{k}}}, i{"i", n(0), v("N"), {{j}}};
  kernel.body.push_back({i});
  CHECK(refuted(kernel).empty());
  std::size_t sums = 0;
  for (const Obligation &o : verify(kernel))
    if (o.kind == ObligationKind::width && o.what.starts_with("the offset of out["))
      sums += o.claims.size();
  CHECK(sums == 2); // the row + k, the row + k + 1
}

TEST_CASE("the steps of copies and of operands fit 64 bits") {
  LoopKernel kernel = stores_at(v("i"));
  CHECK(verify_code(kernel).empty());
  kernel.body.push_back({If{compare(PredOp::gt, mul(mul(v("N"), v("N")), mul(v("N"), v("N"))), n(0)), {}}});
  CHECK(verify_code(kernel).size() == 1);
}

} // namespace atl::verify_test
