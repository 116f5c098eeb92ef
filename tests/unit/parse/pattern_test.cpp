#include "atl/parse/declared.h"
#include "atl/parse/habits.h"

#include <doctest/doctest.h>

namespace atl::pattern_test {

using namespace atl::parse;

static std::string rewritten(std::string_view text, std::string_view pattern, std::string_view into) {
  const std::vector<Piece> pieces = pieces_of(text, 0, text.size());
  for (std::size_t first = 0; first < pieces.size(); ++first)
    if (auto found = match_at(text, pieces, first, Pattern(pattern)))
      return filled(into, *found);
  return "no match";
}

TEST_CASE("patterns: what stands between balanced brackets is an expression") {
  CHECK(rewritten("select(f(a, b) > 0 ? x[i, 1] : 0.0)", "%c ? %a : %b", "select(%c, %a, %b)") ==
        "select(f(a, b) > 0, x[i, 1], 0.0)");
  CHECK(rewritten("a; return b + c;", "return %e ;", "%e") == "b + c");
  CHECK(rewritten("f(a; b)", "f ( %e )", "%e") == "no match");
}

TEST_CASE("patterns: parentheses only where they are needed") {
  CHECK(rewritten("pow(a + b, 2.0)", "pow ( %a , 2.0 )", "(%a) * (%a)") == "(a + b) * (a + b)");
  CHECK(rewritten("pow(x[i + 1], 2.0)", "pow ( %a , 2.0 )", "(%a) * (%a)") == "x[i + 1] * x[i + 1]");
  CHECK(rewritten("log10(x)", "log10 ( %a )", "log(%a)") == "log(x)");
}

TEST_CASE("patterns: types of other languages") {
  CHECK(rewritten("(float)x", "( $t ) $x", "&t($x)") == "f32(x)");
  CHECK(type_of_elsewhere("quaternion").empty());
}

TEST_CASE("declarations, also of a text with errors") {
  constexpr std::string_view text = "kernel k(N: size, A: f32[N, N + 1]) { let e = gen i < N, j < 4 { ";
  const Declarations all = declarations_of(text, pieces_of(text, 0, text.size()));
  REQUIRE(all.contains("A"));
  CHECK(all.at("A").extents == std::vector<std::string_view>{"N", "N + 1"});
  CHECK(all.at("e").extents == std::vector<std::string_view>{"N", "4"});
  CHECK(reduction_over("sum", "A * A", all) == "sum i < N, j < N + 1 { A[i, j] * A[i, j] }");
  CHECK(slice_of("A", "i, 1:4", all) == "gen part2 < 4 - 1 { A[i, part2 + 1] }");
  CHECK(parameters_from_c("int N, const float x[N]") == "N: size, x: f32[N]");
}

TEST_CASE("habits: each row is a pattern with what it fills in") {
  for (const auto &habits : {habits(), habits_of_names()})
    for (const Habit &habit : habits) {
      CHECK_FALSE(habit.written.empty());
      CHECK_FALSE(habit.help.empty());
    }
}

} // namespace atl::pattern_test
