// Printing: the fewest parentheses, sensible lines, and text that parses back to an equal tree.
#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/print.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <sstream>

namespace atl::print_test {

namespace {

Program parse(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  Result<Program> program = parse_program(sources, file);
  CAPTURE(text);
  if (!program)
    for (const Diagnostic &error : program.errors())
      FAIL_CHECK(render(error, sources));
  REQUIRE(program);
  return *program;
}

bool equal_types(const Type &a, const Type &b) {
  return a.elem == b.elem && std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
                                        [](const Index &x, const Index &y) { return equal(x, y); });
}

bool equal_kernels(const Kernel &a, const Kernel &b) {
  auto same_param = [](const Param &x, const Param &y) {
    return x.kind == y.kind && x.name == y.name &&
           (x.kind == Param::Kind::size || equal_types(x.type, y.type));
  };
  auto same_output = [](const Output &x, const Output &y) {
    return x.name == y.name && equal_types(x.type, y.type);
  };
  auto same_where = [](const Where &x, const Where &y) { return equal(x.pred, y.pred); };
  auto same_size = [](const SizeValue &x, const SizeValue &y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.name == b.name &&
         std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(), same_param) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same_output) &&
         std::equal(a.where.begin(), a.where.end(), b.where.begin(), b.where.end(), same_where) &&
         std::equal(a.such_as.begin(), a.such_as.end(), b.such_as.begin(), b.such_as.end(), same_size) &&
         equal(a.body, b.body);
}

bool equal_functions(const Function &a, const Function &b) {
  auto same = [](const Function::Arg &x, const Function::Arg &y) {
    return x.name == y.name && x.elem == y.elem;
  };
  return a.name == b.name && a.result == b.result && equal(a.body, b.body) &&
         std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(), same);
}

bool equal_constants(const Constant &a, const Constant &b) {
  if (a.name != b.name || a.elem != b.elem)
    return false;
  return a.elem ? equal(std::get<ExprPtr>(a.value), std::get<ExprPtr>(b.value))
                : equal(std::get<Index>(a.value), std::get<Index>(b.value));
}

bool equal_programs(const Program &a, const Program &b) {
  return std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    equal_constants) &&
         std::equal(a.functions.begin(), a.functions.end(), b.functions.begin(), b.functions.end(),
                    equal_functions) &&
         std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(), equal_kernels);
}

std::size_t longest_line(const std::string &text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, line.size());
  return longest;
}

// Expressions stand in a place where these names mean something.
const std::string header =
    "kernel test(N: size, M: size, A: f32[N], B: f32[N, M], a: f32, b: f32, c: f32, p: bool, "
    "q: bool) -> f32[N] {\n  gen i < N, j < M {\n    ";

ExprPtr parse_expression(const std::string &text) {
  Program program = parse("fn f(x: f32) -> f32 = x; kernel row(N: size, A: f32[N]) -> f32 { A[0] }\n" +
                          header + text + "}}");
  const Gen &outer = std::get<Gen>(program.kernels.at(1).body->node);
  return std::get<Gen>(outer.body->node).body;
}

// Trees by hand.
Span nowhere;
ExprPtr x(const std::string &name) {
  return make(Access{name, {}}, nowhere);
}
ExprPtr at(const Index &index) {
  return make(Access{"A", {index}}, nowhere);
}
ExprPtr op(const std::string &name, std::vector<ExprPtr> args) {
  const ScalarOp *row = find_scalar_op(name, static_cast<int>(args.size()));
  REQUIRE(row != nullptr);
  return make(Op{row, std::move(args)}, nowhere);
}
ExprPtr real(double value, std::optional<Elem> suffix = {}) {
  return make(Literal{true, 0, value, suffix}, nowhere);
}
ExprPtr whole(std::int64_t value, std::optional<Elem> suffix = {}) {
  return make(Literal{false, value, 0, suffix}, nowhere);
}
ExprPtr guard(const Pred &pred, const ExprPtr &body) {
  return make(Guard{pred, body}, nowhere);
}
ExprPtr reshape(const ReshapeOp &row, std::vector<Index> args, const ExprPtr &child) {
  return make(Reshape{&row, std::move(args), child}, nowhere);
}
ExprPtr let(const std::string &name, const ExprPtr &bound, const ExprPtr &body) {
  return make(Let{{name}, bound, body}, nowhere);
}
ExprPtr reduce(Reduction reduction, const std::string &var, const Index &lo, const Index &hi,
               const ExprPtr &body) {
  return make(Reduce{reduction, var, lo, hi, body}, nowhere);
}
Index v(const std::string &name) {
  return variable(name);
}
Index n(std::int64_t value) {
  return constant(value);
}
Pred lt(const Index &p, const Index &q) {
  return compare(PredOp::lt, p, q);
}

} // namespace

TEST_CASE("trees print with the parentheses they need, and parse back") {
  const ExprPtr a = x("a"), b = x("b"), c = x("c"), p = x("p"), q = x("q");
  const Index i = v("i"), j = v("j"), N = v("N");
  const Pred small = lt(i, n(3));
  const Index mod = binary(IndexOp::mod, i, n(2)), sum = binary(IndexOp::add, i, j);
  struct Case {
    ExprPtr tree;
    std::string text;
  };
  const Case cases[] = {
      {op("*", {op("+", {a, b}), c}), "(a + b) * c"},
      {op("+", {a, op("*", {b, c})}), "a + b * c"},
      {op("-", {a, op("-", {b, c})}), "a - (b - c)"},
      {op("-", {op("-", {a, b}), c}), "a - b - c"},
      {op("/", {a, op("*", {b, c})}), "a / (b * c)"},
      {op("*", {op("/", {a, b}), c}), "a / b * c"},
      {at(binary(IndexOp::mul, n(5), mod)), "A[5 * (i % 2)]"},
      {at(binary(IndexOp::mod, binary(IndexOp::mul, n(5), i), n(2))), "A[5 * i % 2]"},
      {at(binary(IndexOp::sub, i, binary(IndexOp::sub, j, n(1)))), "A[i - (j - 1)]"},
      {at(binary(IndexOp::mul, sum, n(-1))), "A[(i + j) * -1]"},
      {at(binary(IndexOp::cdiv, binary(IndexOp::max, i, j), binary(IndexOp::add, n(1), n(2)))),
       "A[cdiv(max(i, j), 1 + 2)]"},
      {at(n(-3)), "A[-3]"},
      {op("-", {a}), "-a"},
      {op("-", {op("-", {a})}), "-(-a)"},
      {op("-", {op("+", {a, b})}), "-(a + b)"},
      {op("-", {op("*", {a, b})}), "-(a * b)"},
      {op("*", {op("-", {a}), b}), "-a * b"},
      {op("*", {a, op("-", {b})}), "a * -b"},
      {op("-", {a, op("-", {b})}), "a - -b"},
      {op("-", {real(1.5)}), "-(1.5)"},
      {op("-", {real(-1.5)}), "-(-1.5)"},
      {real(-1.5), "-1.5"},
      {op("-", {a, real(-1.5)}), "a - -1.5"},
      {op("+", {real(-1.5), a}), "-1.5 + a"},
      {real(1), "1.0"},
      {real(static_cast<double>(0.1F), Elem::f32), "0.1f32"},
      {real(1e30), "1e+30"},
      {real(1e-30, Elem::f64), "1e-30f64"},
      {real(-0.0), "-0.0"},
      {real(-1.0 / 0.0, Elem::f32), "-inff32"},
      {real(0.0 / 0.0), "nan"},
      {whole(3), "3"},
      {whole(-128, Elem::i8), "-128i8"},
      {whole(std::numeric_limits<std::int64_t>::min(), Elem::i64), "-9223372036854775808i64"},
      {whole(1, Elem::boolean), "true"},
      {guard(small, op("*", {a, b})), "[i < 3] a * b"},
      {op("*", {guard(small, a), b}), "([i < 3] a) * b"},
      {op("*", {a, guard(small, b)}), "a * ([i < 3] b)"},
      {op("*", {op("*", {guard(small, a), b}), c}), "([i < 3] a) * b * c"},
      {op("+", {guard(small, a), b}), "[i < 3] a + b"},
      {op("+", {a, guard(small, b)}), "a + [i < 3] b"},
      {op("<", {guard(small, a), b}), "[i < 3] a < b"},
      {guard(small, op("+", {a, b})), "[i < 3] (a + b)"},
      {guard(small, guard(lt(j, n(3)), a)), "[i < 3] [j < 3] a"},
      {op("-", {guard(small, a)}), "-([i < 3] a)"},
      {guard(disj(small, lt(j, N)), a), "[i < 3 or j < N] a"},
      {guard(conj(disj(small, lt(j, N)), neg(small)), a), "[(i < 3 or j < N) and not i < 3] a"},
      {guard(truth(true), a), "[true] a"},
      {op("not", {op("and", {p, q})}), "not (p and q)"},
      {op("and", {op("not", {p}), q}), "not p and q"},
      {op("or", {op("and", {p, q}), p}), "p and q or p"},
      {op("and", {p, op("or", {q, p})}), "p and (q or p)"},
      {op("and", {p, op("and", {q, p})}), "p and (q and p)"},
      {op("not", {op("<", {a, b})}), "not a < b"},
      {op("==", {op("<", {a, b}), op("not", {p})}), "(a < b) == (not p)"},
      {op("<", {op("+", {a, b}), c}), "a + b < c"},
      {op("and", {make(Test{small}, nowhere), p}), "i < 3 and p"},
      {make(Test{conj(small, neg(disj(small, lt(j, N))))}, nowhere), "i < 3 and not (i < 3 or j < N)"},
      {op("==", {make(Test{small}, nowhere), p}), "(i < 3) == p"},
      {make(Select{op("<", {a, b}), a, op("+", {a, b})}, nowhere), "select(a < b, a, a + b)"},
      {op("max", {a, op("abs", {b})}), "max(a, abs(b))"},
      {make(Convert{ConvertMode::wrap, Elem::u8, a}, nowhere), "u8(a)"},
      {make(Convert{ConvertMode::saturate, Elem::u8, op("+", {a, b})}, nowhere), "sat_u8(a + b)"},
      {make(FromIndex{Elem::f32, sum}, nowhere), "f32(i + j)"},
      {make(Concat{a, make(Concat{b, c}, nowhere)}, nowhere), "concat(a, b, c)"},
      {make(Concat{make(Concat{a, b}, nowhere), c}, nowhere), "concat(concat(a, b), c)"},
      {reshape(flatten_op, {}, x("B")), "flatten B"},
      {reshape(split_op, {n(4)}, reshape(transpose_op, {}, x("B"))), "split 4 transpose B"},
      {reshape(truncr_op, {binary(IndexOp::sub, N, n(1))}, op("*", {a, b})), "truncr (N - 1) (a * b)"},
      {reshape(padl_op, {n(-1)}, op("-", {a})), "padl (-1) (-a)"},
      {op("*", {reshape(flatten_op, {}, a), b}), "flatten a * b"},
      {reshape(flatten_op, {}, guard(small, a)), "flatten ([i < 3] a)"},
      {op("+", {let("t", a, x("t")), b}), "{\n  let t = a;\n  t\n} + b"},
      {make(Gen{"k", n(0), N, make(Gen{"l", n(1), v("k"), a}, nowhere)}, nowhere),
       "gen k < N, 1 <= l < k { a }"},
      {reduce(Reduction::sum, "k", n(0), N, reduce(Reduction::sum, "l", n(0), N, a)),
       "sum k < N, l < N { a }"},
      {reduce(Reduction::sum, "k", n(0), N, reduce(Reduction::prod, "l", n(0), N, a)),
       "sum k < N { prod l < N { a } }"},
      {reduce(Reduction::max, "k", binary(IndexOp::mul, sum, n(2)), N, a), "max (i + j) * 2 <= k < N { a }"},
      {op("*", {reduce(Reduction::min, "k", n(0), N, a), b}), "min k < N { a } * b"},
      {make(Call{"row", {N, x("A")}}, nowhere), "row(N, A)"},
      {make(Call{"f", {op("+", {a, b})}}, nowhere), "f(a + b)"},
  };
  for (const Case &test : cases) {
    CAPTURE(test.text);
    CHECK(print(test.tree) == test.text);
    CHECK(equal(parse_expression(test.text), test.tree));
  }
}

TEST_CASE("what is printed parses back to an equal program") {
  const char *programs[] = {
      R"(const K = 5; const pi: f32 = 3.14159; const big: f64 = 1e300 * 1e300; const least: i8 = -128; const no: bool = K < 3;
         fn relu(x: f32) -> f32 = max(x, 0.0);
         fn wide(aaaaaaaaaaaaaaaaaaaaaaaa: f32, bbbbbbbbbbbbbbbbbbbbbbbbbbbb: f32, ccccccccccccccccccccc: f32) -> f32 =
           aaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbb + ccccccccccccccccccccc * aaaaaaaaaaaaaaaaaaaaaaaa;
         kernel use(N: size, x: f32[N]) -> f32[N] { gen i < N { relu(x[i]) * pi + f32(K) + select(i < K, 1.0, f32(big)) } })",
      R"(kernel blur(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] where N >= 1, M >= 1 or not N < 3 {
           let rows = gen y < N + 2, x < M { (img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3.0 };
           gen y < N, x < M { (rows[y, x] + rows[y + 1, x] + rows[y + 2, x]) / 3.0 } })",
      R"(kernel tiled(N: size, M: size, A: f32[N, M]) -> f32[N, M] {
           truncr (4 * cdiv(N, 4) - N) {
             flatten { gen io < cdiv(N, 4), ii < 4 { [io * 4 + ii < N] gen j < M { A[io * 4 + ii, j] } } } } })",
      R"(kernel stats(N: size, A: i32[N]) -> (lo: i32, hi: i32, rest: i32[N]) {
           let least = min i < N { A[i] }; let greatest = max i < N { A[i] };
           (least, greatest, gen i < N { { let d = A[i] - least; d * d } + sum j < i, 1 <= k < j { A[k] % 7 } }) }
         kernel again(N: size, A: i32[N]) -> (only: i32) { let (lo, hi, rest) = stats(N, A); lo + hi + rest[0] })",
      R"(kernel chain(N: size, A: f32[N, N]) -> f32[N, N] {
           gen i < N, 1 <= j < N {
             A[i, j] * 0.1 + A[i, j - 1] * 0.2 + A[i, j] * 0.3 + A[i, j - 1] * 0.4 + A[i, j] * 0.5 - A[i, j - 1] * 0.6
             - max(A[i, j] * 0.7 + A[i, j - 1] * 0.8, A[i, j] * 0.9 + A[i, j - 1] * 0.15) } })",
  };
  for (const char *text : programs) {
    Program program = parse(text);
    std::string printed = print(program);
    CAPTURE(printed);
    Program again = parse(printed);
    CHECK(equal_programs(program, again));
    CHECK(print(again) == printed);
    CHECK(longest_line(printed) <= 100);
  }
}

TEST_CASE("lines break where the structure does") {
  Program program = parse(R"(
    kernel long_names(rows: size, columns: size, image: f32[rows + 2, columns + 2], weights: f32[3, 3], scale: f32) -> f32[rows, columns] where rows >= 1 {
      let sums = gen y < rows, x < columns { sum dy < 3, dx < 3 { image[y + dy, x + dx] * weights[dy, dx] * scale } };
      let edges = gen y < rows, x < columns { [1 <= y < rows - 1 and 1 <= x < columns - 1 and x + y < rows + columns - 20] (image[y, x] - image[y + 1, x + 1]) * scale };
      gen y < rows, x < columns { select(sums[y, x] > 0.0, sums[y, x] * scale + image[y, x] * scale, sums[y, x] - image[y + 1, x + 1]) } })");
  CHECK(print(program) == R"(kernel long_names(
  rows: size,
  columns: size,
  image: f32[rows + 2, columns + 2],
  weights: f32[3, 3],
  scale: f32
) -> f32[rows, columns]
  where rows >= 1
{
  let sums = gen y < rows, x < columns {
    sum dy < 3, dx < 3 { image[y + dy, x + dx] * weights[dy, dx] * scale }
  };
  let edges = gen y < rows, x < columns {
    [1 <= y and y < rows - 1 and 1 <= x and x < columns - 1 and x + y < rows + columns - 20]
      (image[y, x] - image[y + 1, x + 1]) * scale
  };
  gen y < rows, x < columns {
    select(
      sums[y, x] > 0.0,
      sums[y, x] * scale + image[y, x] * scale,
      sums[y, x] - image[y + 1, x + 1]
    )
  }
}
)");
}

TEST_CASE("a typed kernel prints as a kernel whose literals have their types") {
  Program program = parse(R"(
    fn relu(x: f64) -> f64 = max(x, 0.0);
    kernel k(N: size, A: f64[N], B: u8[N]) -> (first: f64[N], second: u8[N]) where N >= 1 {
      let total = sum i < N { A[i] };
      (gen i < N { relu(A[i] / total) }, gen i < N { B[i] + 1 }) })");
  Result<TypedProgram> typed = check_program(program);
  REQUIRE(typed);
  std::string printed = print(typed->kernels.at(0));
  CAPTURE(printed);
  CHECK(printed.find("0.0f64") != std::string::npos);
  CHECK(printed.find("1u8") != std::string::npos);
  Result<TypedProgram> again = check_program(parse(printed));
  REQUIRE(again);
  CHECK(print(again->kernels.at(0)) == printed);
}

} // namespace atl::print_test
