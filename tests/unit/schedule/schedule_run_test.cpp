// Schedules run, and the scheduled programs are proved equal to their algorithms.
#include "tests/support/agree.h"

#include "atl/syntax/print.h"

namespace atl::schedule_run_test {

using atl::testing::check_agreement;
using atl::testing::Numbers;
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

void proved_and_right(const std::string &text) {
  CAPTURE(text);
  ScheduledText s = scheduled(text);
  INFO("scheduled: ", print(s.kernel));
  CHECK(s.problem == "");
  if (s.problem.empty())
    check_agreement(s, Numbers::exact);
}

} // namespace

TEST_CASE("steps on loops") {
  for (const char *steps : {
           "tile y by 4, x by 3;",
           "split every y by 3; unroll every y.i;",
           "split y by 4 tail cut; parallel y.o; vectorize x in y.i;",
           "cut y at min(N, 1);",
           "peel x in rows by 2; split x.b in rows by 4;",
           "split x by 8; reorder x.o, y, x.i;",
           "inline rows; tile y by 4, x by 8;",
           "split x by 4 tail cut; distribute y into y, y.r; split y.r by 2; parallel y;",
       })
    proved_and_right(blur + "schedule s for blur { " + steps + " }");
}

TEST_CASE("a reduction of several loops, of a temporary that is computed in strips") {
  proved_and_right(R"(
kernel smooth(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  let roots = gen y < N + 2, x < M + 2 { abs(img[y, x]) };
  gen y < N, x < M { sum r < 3, t < 3 { roots[y + r, x + t] } / 9.0 }
}
schedule s for smooth { accumulate r as sums; split y by 4; compute sums at y.o; compute roots at y.o; }
)");
}

TEST_CASE("compute at, with inferred windows") {
  for (const char *steps : {
           "split y by 4; compute rows at y.o;",
           "tile y by 4, x by 8; compute rows at x.o;",
           "tile y by 4, x by 8; compute rows at x.o; unroll y.i; vectorize x.i; parallel y.o;",
           "compute rows at y; compute rows at root;",
           "split y by 4; compute rows at y.o; split x in rows by 4;",
           "stage img at y in rows as line;",
           "split y by 4; compute rows at y.o; layout rows to d1, d0;",
           "within rows { split x by 4; } within out { split x by 8 tail cut; vectorize x.i; }",
           "split y by 4; compute rows at y.o; within rows { reorder x, y; split y by 2 into a, b; }",
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

TEST_CASE("a step that is not understood says why") {
  struct Case {
    const char *steps, *problem;
  };
  for (const Case &c : {
           Case{"split q by 4;", "there is no loop q"},
           Case{"split i by 4; split i by 4;", "there is no loop i"},
           Case{"align M to 4;", "M = 1: M % 4 == 0 does not follow from the where clause"},
           Case{"bound M >= 1;", "M = 0: M >= 1 does not follow from the where clause"},
           Case{"frobnicate i;", "there is no step frobnicate"},
           Case{"split i by 4 tail shift;", "M = 0: i has 0 iterations, not enough for one tile"},
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

} // namespace atl::schedule_run_test
