// Schedules run, and the scheduled programs are proved equal to their algorithms.
#include "tests/support/scheduled.h"

#include "atl/print.h"

#include <random>

using namespace atl;
using atl::testing::scheduled;
using atl::testing::ScheduledText;

namespace {

const std::string blur = R"(
kernel blur(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  let rows = gen y < N + 2, x < M { (img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3.0 };
  gen y < N, x < M { (rows[y, x] + rows[y + 1, x] + rows[y + 2, x]) / 3.0 }
}
)";
const std::string matmul = R"(
kernel matmul(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }
}
)";

Tensor noise(Elem elem, std::vector<std::int64_t> shape, std::mt19937 &random) {
  Tensor t = make_tensor(elem, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.set(i, is_float(elem) ? make_real(elem, static_cast<double>(random() % 64) / 8 - 4)
                            : make_integer(elem, static_cast<std::int64_t>(random() % 64) - 32));
  return t;
}

// The loop nest and the algorithm give the same bits (inputs are small multiples of 1/8, so that sums are
// exact).
void agrees(const ScheduledText &s, std::mt19937 &random) {
  Valuation sizes;
  for (const std::string &size : s.algorithm.size_names())
    sizes[size] = static_cast<std::int64_t>(random() % 12);
  Tensors inputs;
  for (const Param &param : s.algorithm.params) {
    if (param.kind == Param::Kind::size)
      continue;
    std::vector<std::int64_t> shape;
    for (const Index &extent : param.type.shape)
      shape.push_back(evaluate(extent, sizes).value());
    inputs[param.name] = noise(param.type.elem, shape, random);
  }
  Tensors expected = evaluate(s.algorithm, sizes, inputs), found = lowering::run(s.loops, sizes, inputs);
  for (const auto &[name, tensor] : expected)
    CHECK(same_bits(found.at(name), tensor));
}

void proved_and_right(const std::string &text) {
  CAPTURE(text);
  ScheduledText s = scheduled(text);
  INFO("scheduled: ", print(s.kernel));
  CHECK(s.problem == "");
  if (!s.problem.empty())
    return;
  std::mt19937 random(7);
  for (int i = 0; i < 6; ++i)
    agrees(s, random);
}

} // namespace

TEST_CASE("steps on loops") {
  for (const char *steps : {
           "split y by 4;",
           "split x by 4 tail cut;",
           "tile y by 4, x by 3;",
           "split every y by 3; unroll every y.i;",
           "split y by 4 tail cut; parallel y.o; vectorize x in y.i;",
           "reorder x, y;",
           "cut y at min(N, 1);",
           "peel x in rows by 2; split x.b in rows by 4;",
           "split x by 8; reorder x.o, y, x.i;",
           "inline rows;",
           "inline rows; tile y by 4, x by 8;",
           "split x by 4 tail cut; distribute y into y, y.r; split y.r by 2; parallel y;",
       })
    proved_and_right(blur + "schedule s for blur { " + steps + " }");
}

TEST_CASE("compute at, with inferred windows") {
  for (const char *steps : {
           "compute rows at y;",
           "split y by 4; compute rows at y.o;",
           "tile y by 4, x by 8; compute rows at x.o;",
           "tile y by 4, x by 8; compute rows at x.o; unroll y.i; vectorize x.i; parallel y.o;",
           "compute rows at y; compute rows at root;",
           "split y by 4; compute rows at y.o; split x in rows by 4;",
           "stage img at y in rows as line;",
           "split y by 4; compute rows at y.o; layout rows to d1, d0;",
       })
    proved_and_right(blur + "schedule s for blur { " + steps + " }");
}

TEST_CASE("matrix products") {
  for (const char *steps : {
           "tile i by 4, j by 3;",
           "tile i by 4, j by 3; split k by 8; reorder i.o, j.o, k.o, k.i, i.i, j.i;",
           "tile i by 4, j by 4; reorder i.o, j.o, k, i.i, j.i; accumulate k;",
           "split k by 4; rfactor k.i as part;",
           "split j by 4; pack B at j.o as Bp to d1 / 4, d0, d1 % 4;",
           "tile i by 2, j by 4; stage B at j.o;",
           "reorder k, i, j;",
           "specialize when N % 4 == 0 { split j by 4 tail exact; unroll j.i; } split j by 4;",
           "specialize when K <= 3 { reorder j, i; } specialize when M == N { split i by 4; } parallel i;",
       })
    proved_and_right(matmul + "schedule s for matmul { " + steps + " }");
}

TEST_CASE("a step that cannot be applied says why") {
  struct Case {
    const char *steps, *problem;
  };
  for (const Case &c : {
           Case{"fuse i, j;", "N = 0: j has 0 iterations"},
           Case{"split i by 0;", "M = 0, N = 0, K = 0: the factor is 0"},
           Case{"split i by 0 - 2;", "M = 0, N = 0, K = 0: the factor is -2"},
           Case{"split i by 4 tail exact;", "M = 1: i has 1 iterations, and 4 does not divide that"},
           Case{"split q by 4;", "there is no loop q"},
           Case{"split i by 4; split i by 4;", "there is no loop i"},
           Case{"unroll k;", "the number of iterations of k is not constant: it is K"},
           Case{"compute rows at i;", "rows is not a temporary"},
           Case{"align M to 4;", "M = 1: M % 4 == 0 does not follow from the where clause"},
           Case{"bound M >= 1;", "M = 0: M >= 1 does not follow from the where clause"},
           Case{"rfactor k;", "k is the only loop of its reduction"},
           Case{"cut i at 5;", "M = 0: i runs from 0 to 0, and is cut at 5"},
           Case{"reorder i, i;", "i is named twice"},
           Case{"frobnicate i;", "there is no step frobnicate"},
           Case{"split i by 4 tail shift;", "split is written in another way"},
           Case{"tile i by 4, j by 4 tail cut;", "tile is written in another way"},
           Case{"split i;", "split is written in another way"},
       })
    CHECK(scheduled(matmul + "schedule s for matmul { " + c.steps + " }").problem == c.problem);
}

TEST_CASE("what is proved where nothing happens does not change shapes") {
  ScheduledText s = scheduled(R"(
kernel never(N: size, x: f32[3]) -> f32[3] { [N + 1 <= N] gen k < 3 { x[k] } }
schedule s for never { split k by 4 tail exact; })");
  CHECK(s.problem == "equal: N = 0: dimension 1 of out is 3, that of the schedule 0");
}

TEST_CASE("partial results are another grouping of the sum, and said to be") {
  const std::string two =
      "kernel two(N: size, M: size, A: f32[N, M]) -> f32 { sum i < N, k < M { A[i, k] } }";
  ScheduledText partial = scheduled(two + "schedule s for two { rfactor i as p; }");
  CHECK(partial.problem == "");
  CHECK(partial.used_laws);
  ScheduledText split = scheduled(two + "schedule s for two { split k by 4; }");
  CHECK(split.problem == "");
  CHECK(!split.used_laws);
  CHECK(split.in_order);
}

TEST_CASE("loops do not end up inside loops of their name") {
  const std::string grid = "kernel grid(N: size, x: f32[N]) -> f32[N] { "
                           "truncr (cdiv(N, 4) * 4 - N) flatten gen i.i < cdiv(N, 4), i < 4 { [i.i * 4 + i < "
                           "N] x[i.i * 4 + i] } }";
  CHECK(scheduled(grid + "schedule s for grid { split i by 2; }").problem ==
        "a loop i.i would be inside another loop i.i");
  CHECK(scheduled(grid + "schedule s for grid { split i by 2 into a, b; }").problem == "");
}

TEST_CASE("a reduction inside one of another kind has a value without terms") {
  proved_and_right("kernel nested(N: size, x: i32[N]) -> i32 { prod a < 2 { min k < N { [k >= 3] x[k] } } }"
                   "schedule s for nested { split k by 2; }");
}
