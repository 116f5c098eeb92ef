// The second check of memory safety, on loop nests that are wrong: lowering makes none of them.
#include "lowering/verify/verify.h"

#include "atl/meaning/tensor.h"
#include "proofs/discharge.h"
#include "typed_trees.h"

#include <doctest/doctest.h>

using namespace atl;
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

TEST_CASE("a cell that is stored twice is found") {
  CHECK(refuted(stores_at(floor_div(v("i"), n(2)))) == std::vector{Code::written_twice});
}

TEST_CASE("a store outside its buffer is found") {
  CHECK(refuted(stores_at(add(v("i"), n(1)))) == std::vector{Code::out_of_bounds});
}
