#include "atl/base/fix.h"
#include "atl/base/spelling.h"

#include <doctest/doctest.h>

namespace atl::spelling_test {

TEST_CASE("spelling: a third of the letters may differ") {
  CHECK(closest_name("widht", {"width", "height"}) == "width");
  CHECK(closest_name("pow", {"log", "sum"}).empty());
  CHECK(closest_name("len", {"min"}).empty());
  CHECK(closest_name("yo", {"y.o", "x.i"}) == "y.o");
  CHECK(closest_name("avx_512", {"avx512", "avx2"}) == "avx512");
}

TEST_CASE("spelling: case, and British or American") {
  CHECK(closest_name("AVX512", {"avx2", "avx512"}) == "avx512");
  CHECK(closest_name("vectorise", {"parallel", "vectorize"}) == "vectorize");
  CHECK(closest_name("colour_of_centre", {"color_of_center"}) == "color_of_center");
}

TEST_CASE("fix: edits of a text") {
  const Edited result = edited("A[i][j] + b", {{{0, 8, 9}, "-"}, {{0, 3, 5}, ", "}});
  CHECK(result.text == "A[i, j] - b");
  REQUIRE(result.written.size() == 2);
  CHECK(result.written[0].begin == 3);
  CHECK(result.written[1].begin == 8);
}

} // namespace atl::spelling_test
