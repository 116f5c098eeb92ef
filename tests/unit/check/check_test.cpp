// Element types, ranks, shapes and calls: what is accepted, and what is said otherwise.
#include "tests/support/from_text.h"

#include "atl/syntax/print.h"

#include <doctest/doctest.h>

namespace atl::check_test {

using atl::testing::typed;
using atl::testing::typed_or_errors;

namespace {

// The code of the only error of a kernel with this body, 0 if there is none.
int code_of(const std::string &text) {
  auto kernels = typed_or_errors(text);
  return kernels || kernels.errors().empty() ? 0 : static_cast<int>(kernels.errors()[0].code);
}

int body(const std::string &result, const std::string &type = "f32[N]") {
  return code_of("kernel k(N: size, M: size, x: f32[N], n: i32[N], b: bool[N], A: f32[N, M]) -> " + type +
                 " { " + result + " }");
}

std::size_t obligations(const std::string &text, Code code) {
  std::size_t count = 0;
  for (const Obligation &o : typed(text).obligations)
    count += o.code == code;
  return count;
}

} // namespace

TEST_CASE("literals take their type from the context, and never change it") {
  CHECK(body("gen i < N { x[i] + 1.0 }") == 0);
  CHECK(body("gen i < N { n[i] + 1 }", "i32[N]") == 0);
  CHECK(body("gen i < N { x[i] + 1 }") == 2001);
  CHECK(body("gen i < N { 200 }", "u8[N]") == 0);
  CHECK(body("gen i < N { 256 }", "u8[N]") == 1004);
  CHECK(body("gen i < N { -128 }", "i8[N]") == 0);
  CHECK(body("gen i < N { -129 }", "i8[N]") == 1004);
  CHECK(body("gen i < N { -5 }", "u8[N]") == 1004);
}

TEST_CASE("a minus sign that is not in front of a number is an operation, which wraps") {
  CHECK(body("gen i < N { -(5u8) }", "u8[N]") == 0);
  CHECK(body("gen i < N { -(5) }", "u8[N]") == 0);
  CHECK(body("gen i < N { -(-(5u8)) }", "u8[N]") == 0);
  CHECK(body("gen i < N { -(128) }", "i8[N]") == 0);
  CHECK(body("gen i < N { -(300) }", "u8[N]") == 1004);
}

TEST_CASE("element types do not mix") {
  CHECK(body("gen i < N { x[i] + n[i] }") == 2001);
  CHECK(body("gen i < N { x[i] + f32(n[i]) }") == 0);
  CHECK(body("gen i < N { n[i] }") == 2001);
  CHECK(body("concat(x, n)", "f32[N + N]") == 2001);
}

TEST_CASE("operations know their element types") {
  CHECK(body("gen i < N { x[i] % 2.0 }") == 2002);
  CHECK(body("gen i < N { b[i] + b[i] }", "bool[N]") == 2002);
  CHECK(body("gen i < N { sqrt(n[i]) }", "i32[N]") == 2002);
  CHECK(body("sum i < N { b[i] }", "bool") == 2002);
  CHECK(body("gen i < N { select(x[i], 1.0, 2.0) }") == 2001);
}

TEST_CASE("ranks") {
  CHECK(body("gen i < N { x[i, i] }") == 2003);
  CHECK(body("transpose x") == 2003);
  CHECK(body("A") == 2003);
  CHECK(body("gen i < N { A[i] + 1.0 }") == 2005);
  CHECK(body("gen i < N { gen j < i { x[j] } }", "f32[N, N]") == 2006);
}

TEST_CASE("several results") {
  CHECK(code_of("kernel k(N: size, x: f32[N]) -> (a: f32[N], b: f32) { x }") == 2004);
  CHECK(code_of("kernel two(N: size, x: f32[N]) -> (a: f32[N], b: f32) { (x, sum i < N { x[i] }) }\n"
                "kernel k(N: size, x: f32[N]) -> f32[N] { two(N, x) }") == 2004);
  CHECK(
      code_of("kernel two(N: size, x: f32[N]) -> (a: f32[N], b: f32) { (x, sum i < N { x[i] }) }\n"
              "kernel k(N: size, x: f32[N]) -> f32[N] { let (a, b) = two(N, x); gen i < N { a[i] / b } }") ==
      0);
}

TEST_CASE("calls are inlined with names of their own") {
  TypedKernel kernel = typed("fn square(x: f32) -> f32 = x * x;\n"
                             "kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { square(x[i] + 1.0) } }");
  CHECK(print(kernel.results[0]) == "gen i < N {\n  let x_2 = x[i] + 1.0f32;\n  x_2 * x_2\n}");
}

TEST_CASE("a kernel's where clause is an obligation of its caller") {
  const char *text = "kernel f(N: size, x: f32[N]) -> f32 where N >= 2 { x[1] }\n"
                     "kernel k(M: size, x: f32[M]) -> f32 { f(M, x) }";
  CHECK(obligations(text, Code::where_violated) == 2); // and M is not negative
}

TEST_CASE("limits of sizes come from the where clause, or are 2^31 - 1") {
  auto assumptions = [](const std::string &where) {
    std::string text;
    for (const Pred &p : typed("kernel k(N: size) -> f32 " + where + " { 1.0 }").assumptions)
      text += to_string(p) + "; ";
    return text;
  };
  CHECK(assumptions("") == "N >= 0; N <= 2147483647; ");
  CHECK(assumptions("where N < 100") == "N >= 0; N <= 99; N < 100; ");
  CHECK(assumptions("where N <= 1099511627776") == "N >= 0; N <= 1099511627776; N <= 1099511627776; ");
}

TEST_CASE("accesses are obligations where they are used") {
  auto hypotheses = [](const std::string &scalar) {
    for (const Obligation &o :
         typed("kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { " + scalar + " } }").obligations)
      if (o.code == Code::out_of_bounds && o.what.find("i - 1") != std::string::npos)
        return to_string(o.hypotheses.back());
    return std::string();
  };
  CHECK(hypotheses("[i > 0] x[i - 1]") == "i > 0");
  CHECK(hypotheses("1.0 + ([i > 0] x[i - 1])") == "i > 0");
  CHECK(hypotheses("select(i > 0, x[i - 1], 0.0)") == "i > 0");
  CHECK(hypotheses("select(i == 0, 0.0, x[i - 1])") == "not i == 0");
  CHECK(hypotheses("select(i > 0 and x[i - 1] > 0.0, 1.0, 0.0)") == "i > 0");
  CHECK(hypotheses("select(i > 0 or x[i] > 0.0, x[i - 1], 0.0)") == "true");
  CHECK(hypotheses("select(i <= 0 and x[i] > 0.0, 0.0, x[i - 1])") == "true");
  CHECK(hypotheses("select(x[i] > 0.0 and i > 0, x[i - 1], 0.0)") == "i > 0");
  CHECK(hypotheses("select(i > 0 and x[i] > 0.0 or i > 1 and x[i] < 0.0, x[i - 1], 0.0)") ==
        "i > 0 or i > 1");
}

TEST_CASE("one mistake in a callee is told once") {
  auto kernels =
      typed_or_errors("fn bad(x: f32) -> f32 = x + 1;\n"
                      "kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { bad(x[i]) * bad(x[i]) } }");
  REQUIRE_FALSE(kernels);
  CHECK(kernels.errors().size() == 1);
}

} // namespace atl::check_test
