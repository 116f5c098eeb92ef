#include "cbackend/cbackend_kernels.h"

namespace atl::testing {

using namespace lowering;

static ExprPtr third(const ExprPtr &a, const ExprPtr &b, const ExprPtr &c) {
  return op("/", {op("+", {op("+", {a, b}), c}), literal(3.0)});
}

LoopKernel blur() {
  Index N = variable("N"), M = variable("M"), y = variable("y"), x = variable("x");
  auto img = [&](int dx) { return read(Elem::f32, "img", {y, add(x, constant(dx))}); };
  auto rows = [&](int dy) { return read(Elem::f32, "rows", {add(y, constant(dy)), x}); };
  Stmt first = loop("y", constant(0), add(N, constant(2)),
                    {loop("x", constant(0), M, {store("rows", {y, x}, third(img(0), img(1), img(2)))})});
  Stmt second = loop("y", constant(0), N,
                     {loop("x", constant(0), M, {store("out", {y, x}, third(rows(0), rows(1), rows(2)))})});
  LoopKernel k =
      kernel("blur",
             {temporary("rows", Elem::f32, {add(N, constant(2)), M}, Alloc::Storage::heap, {first, second})});
  add_size(k, "N");
  add_size(k, "M");
  add_input(k, "img", Elem::f32, {add(N, constant(2)), add(M, constant(2))});
  add_output(k, "out", Elem::f32, {N, M});
  add_where(k, compare(PredOp::ge, N, constant(1)));
  add_where(k, compare(PredOp::ge, M, constant(1)));
  return k;
}

LoopKernel matmul() {
  Index M = variable("M"), N = variable("N"), K = variable("K"), i = variable("i"), j = variable("j"),
        k = variable("k");
  Stmt sum = loop("k", constant(0), K,
                  {store("acc", {}, op("*", {read(Elem::f32, "A", {i, k}), read(Elem::f32, "B", {k, j})}),
                         Reduction::sum)});
  Stmt cell =
      temporary("acc", Elem::f32, {}, Alloc::Storage::scalar,
                {store("acc", {}, literal(0.0)), sum, store("out", {i, j}, read(Elem::f32, "acc", {}))});
  LoopKernel result = kernel("matmul", {loop("i", constant(0), M, {loop("j", constant(0), N, {cell})})});
  for (const char *size : {"M", "N", "K"})
    add_size(result, size);
  add_input(result, "A", Elem::f32, {M, K});
  add_input(result, "B", Elem::f32, {K, N});
  add_output(result, "out", Elem::f32, {M, N});
  return result;
}

} // namespace atl::testing
