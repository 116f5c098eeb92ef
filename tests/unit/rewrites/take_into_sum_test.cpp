// Sums that start from what is added to them, or end with it.
#include "atl/syntax/print.h"
#include "tests/support/agree.h"

#include <doctest/doctest.h>

namespace atl::take_into_sum_test {

using namespace atl::testing;

namespace {

ScheduledText started(const std::string &body, const std::string &steps, const std::string &elem = "i32") {
  return scheduled("hardware tiny { header \"tiny.h\"; available \"1\"; memory v 4 { i32 \"vec\"; } }\n"
                   "kernel test(M: size, N: size, K: size, A: " +
                   elem + "[M, K], B: " + elem + "[K, N], s: " + elem + "[N]) -> " + elem +
                   "[M, N] where M >= 1, N >= 1, K >= 1 {" + body +
                   "}\nschedule with for test { map all with tiny; " + steps + " }");
}

const std::string product = "let sums = gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } };";
const std::string by_column = "reorder k, i, j in sums;";

} // namespace

TEST_CASE("start: what is added is the first term") {
  ScheduledText s =
      started(product + "gen i < M, j < N { max(sums[i, j] + s[j], 0) }", by_column + "start sums;");
  CHECK(s.problem == "");
  CHECK(s.used_laws);
  CHECK(print(s.kernel) ==
        R"(kernel test(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N], s: i32[N]) -> i32[M, N]
  where M >= 1, N >= 1, K >= 1
{
  let sums = sum unrolled sums.turn < 2 {
    truncr M padr (sums.turn * M) truncl (sums.turn * M) concat(
      [sums.turn == 0] gen i < M, j < N { s[j] },
      [sums.turn == 1] sum k < K { gen i < M, j < N { A[i, k] * B[k, j] } }
    )
  };
  gen i < M, j < N { max(sums[i, j], 0i32) }
}
)");
  check_agreement(s, Numbers::exact);
}

TEST_CASE("start: of tiles, with the loops that read them") {
  const std::string tiles = "tile i by 4, j by 8; compute sums at j.o;";
  const std::string rest = "split j.i by 2 into t, l tail exact; reorder t, i.i, l;";
  for (const char *added : {"sums[i, j] + s[j]", "s[j] + sums[i, j]"})
    for (const std::string &steps :
         {tiles, tiles + rest, tiles + "split k in sums by 4; reorder k.o, i, j, k.i in sums;"}) {
      CAPTURE(steps);
      ScheduledText s =
          started(product + "gen i < M, j < N { " + std::string(added) + " }", steps + "start sums;");
      CHECK(s.problem == "");
      check_agreement(s, Numbers::exact);
    }
}

TEST_CASE("start: from several values, one after the other") {
  const std::string reader = "gen i < M, j < N { max(sums[i, j] + s[j] + { let x = A[i, 0]; x * x }, 0) }";
  const std::string tiles =
      "tile i by 4, j by 8; compute sums at j.o; split k in sums by 4; reorder k.o, i, j, k.i in sums;";
  for (const std::string &steps : {by_column, tiles}) {
    ScheduledText s = started(product + reader, steps + "start sums; start sums;");
    CHECK(s.problem == "");
    check_agreement(s, Numbers::exact);
  }
}

TEST_CASE("end: what is added is the last term") {
  ScheduledText s =
      started(product + "gen i < M, j < N { max(s[j] + sums[i, j], 0) }", by_column + "end sums;");
  CHECK(s.problem == "");
  CHECK(s.used_laws);
  CHECK(print(s.kernel).find(R"(      [sums.turn == 0] sum k < K { gen i < M, j < N { A[i, k] * B[k, j] } },
      [sums.turn == 1] gen i < M, j < N { s[j] }
)") != std::string::npos);
  check_agreement(s, Numbers::exact);
}

TEST_CASE("end: and start, of several values") {
  const std::string reader = "gen i < M, j < N { max(sums[i, j] + s[j] + { let x = A[i, 0]; x * x }, 0) }";
  for (const char *steps : {"start sums; end sums;", "end sums; start sums;", "end sums; end sums;"}) {
    CAPTURE(steps);
    ScheduledText s =
        started(product + reader, "tile i by 4, j by 8; compute sums at j.o; " + std::string(steps));
    CHECK(s.problem == "");
    check_agreement(s, Numbers::exact);
  }
}

TEST_CASE("start: of a tensor that is no sum yet") {
  for (const char *added : {"sums[i, j] + s[j]", "sums[i, j] + A[i, 0] * s[j]"}) {
    ScheduledText s =
        started("let sums = gen i < M, j < N { A[i, 0] }; gen i < M, j < N { " + std::string(added) + " }",
                "tile i by 4, j by 8; compute sums at j.o; start sums;");
    CHECK(s.problem == "");
    check_agreement(s, Numbers::exact);
  }
}

TEST_CASE("start: a dimension of one cell that is not read by a loop") {
  ScheduledText s =
      started(product + "gen i < M, j < N { sums[i, j] + s[j] }", "compute sums at i; start sums;");
  CHECK(s.problem == "");
  check_agreement(s, Numbers::exact);
}

TEST_CASE("start is refused") {
  auto refused = [](const std::string &body, const std::string &steps, const std::string &why,
                    const std::string &elem = "i32") {
    CAPTURE(body);
    CHECK(started(body, steps, elem).problem == "sums cannot start from what is added to it: " + why);
  };
  const std::string once = "it is not read once, with something added to it that is there before";
  const std::string nest = "it is not read by one nest of loops";
  refused("gen i < M, j < N { s[j] }", "start sums;", "there is no such temporary");
  refused(product + "gen i < M, j < N { sums[i, j] + s[j] }", "start sums;",
          "it holds floats, whose sums depend on the order of their terms", "f32");
  refused("let sums = gen i < M, j < N { max k < K { A[i, k] } }; gen i < M, j < N { sums[i, j] + s[j] }",
          "reorder k, i, j in sums; start sums;", "it is not a sum that starts from zeros");
  refused(product + "gen i < M, j < N { sums[i, j] * s[j] }", "start sums;", once);
  refused(product + "gen i < M, j < N { sums[i, j] + sums[i, j] }", "start sums;", once);
  refused(product + "concat(gen i < 1, j < N { sums[i, j] + s[j] }, gen 1 <= i < M, j < N { s[j] })",
          "start sums;", nest);
  refused(product + "gen i < M, j < N { max k < K { sums[i, j] + A[i, k] } }", "start sums;", nest);
}

TEST_CASE("start: where another cell is read than the one it is for") {
  ScheduledText s = started("let sums = gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } };"
                            "gen i < M, j < N { sums[M - 1 - i, j] + s[j] }",
                            "start sums;");
  CHECK(s.problem.find("reads") != std::string::npos);
}

} // namespace atl::take_into_sum_test
