// The printer of loop nests: the form that its header comment states.
#include "lowering/nest/run_loops.h"
#include "tests/unit/typed_trees.h"

#include <doctest/doctest.h>

namespace atl::print_loops_test {

using namespace atl::trees;
using namespace atl::lowering;

TEST_CASE("loops, conditions, temporaries and stores as text") {
  ExprPtr element = at("A", {v("i")});
  Stmt accumulate{Store{"t", {v("i")}, Reduction::max, element, false, {}}};
  Stmt temporary{Alloc{{"t", Elem::f32, {add(v("i"), n(1))}, Buffer::Role::temporary},
                       {v("N")},
                       Alloc::Storage::heap,
                       {accumulate}}};
  Stmt start{Store{"out", {v("i")}, std::nullopt, real(0), true, {}}};
  Stmt loop{For{"i", n(0), v("N"), {start, {If{compare(PredOp::lt, v("i"), n(3)), {temporary}}}}}};
  LoopKernel k;
  k.name = "k";
  k.params = {size_param("N"), tensor_param("A", Elem::f32, {v("N")}), tensor_param("s", Elem::u8, {})};
  k.outputs = {{"out", Elem::f32, {v("N")}, Buffer::Role::output}};
  k.assumptions = {compare(PredOp::ge, v("N"), n(0))};
  k.body = {loop};
  CHECK(print(k) == "kernel k(N: size, in A: f32[N], in s: u8, out out: f32[N])\n"
                    "  assume N >= 0\n"
                    "{\n"
                    "  for (i = 0; i < N; i++) {\n"
                    "    out[i] = 0.0f32; // init\n"
                    "    if (i < 3) {\n"
                    "      heap t: f32[i + 1] of [N] {\n"
                    "        t[i] max= A[i];\n"
                    "      }\n"
                    "    }\n"
                    "  }\n"
                    "}\n");
}

} // namespace atl::print_loops_test
