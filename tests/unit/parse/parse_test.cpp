// The parser: what a text becomes, imports, constants, limits, bad input. Messages have their files in
// tests/errors.
#include "atl/parse/parse.h"
#include "tests/support/files.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <map>

namespace atl::parse_test {

namespace {

using atl::testing::errors_of, atl::testing::Files, atl::testing::parse;

Result<Program> parse(const std::string &text) {
  Sources sources;
  return parse({{"test.atl", text}}, "test.atl", sources);
}

std::string errors_of(const std::string &text) {
  return errors_of({{"t", text}}, "t");
}

constexpr const char *params =
    "kernel test(N: size, M: size, A: f32[N], B: i32[N, M], a: f32, p: bool) -> f32[N] {\n";

// The expression `text` where the sizes N, M, the tensors A, B and the scalars a, p are in scope.
ExprPtr expression(const std::string &text) {
  CAPTURE(text);
  Result<Program> program = parse(params + text + "\n}\n");
  REQUIRE(program);
  return program->kernels[0].body;
}

template <class Node>
Node node_of(const std::string &text) {
  ExprPtr e = expression(text);
  REQUIRE(std::holds_alternative<Node>(e->node));
  return std::get<Node>(e->node);
}

std::string op_name(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  return op ? std::string(op->op->name) : "no operation";
}

std::string repeat(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

} // namespace

TEST_CASE("advice replaces the message that says what was expected, and still knows the symbol") {
  CHECK(errors_of("\n\nhardware\n  for:\n").find("there are no loops with statements") != std::string::npos);
}

TEST_CASE("literals") {
  struct Case {
    std::string text;
    Literal literal;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {"12", {false, 12, 0, {}}},
      {"-12", {false, -12, 0, {}}},
      {"007", {false, 7, 0, {}}},
      {"0x1F", {false, 31, 0, {}}},
      {"0xffu8", {false, 255, 0, Elem::u8}},
      {"3u8", {false, 3, 0, Elem::u8}},
      {"-128i8", {false, -128, 0, Elem::i8}},
      {"4294967295u32", {false, 4294967295, 0, Elem::u32}},
      {"9223372036854775807", {false, std::numeric_limits<std::int64_t>::max(), 0, {}}},
      {"-9223372036854775808", {false, std::numeric_limits<std::int64_t>::min(), 0, {}}},
      {"1.5", {true, 0, 1.5, {}}},
      {"-1.5", {true, 0, -1.5, {}}},
      {"1e3", {true, 0, 1000, {}}},
      {"1e-3", {true, 0, 1e-3, {}}},
      {"2.5E+2f64", {true, 0, 250, Elem::f64}},
      {"0.1f32", {true, 0, static_cast<double>(0.1F), Elem::f32}},
      {"2f32", {true, 0, 2, Elem::f32}},
      {"1e-400", {true, 0, 0, {}}},
      {"inf", {true, 0, infinity, {}}},
      {"-inff32", {true, 0, -infinity, Elem::f32}},
      {"nan", {true, 0, std::numeric_limits<double>::quiet_NaN(), {}}},
      {"true", {false, 1, 0, Elem::boolean}},
      {"false", {false, 0, 0, Elem::boolean}},
  };
  for (const Case &test : cases) {
    CAPTURE(test.text);
    CHECK(equal(expression(test.text), make(test.literal, {})));
  }
}

TEST_CASE("names that look like numbers") {
  CHECK(parse("fn e5(e: f32, x1: f32, inf1: f32, f32x: f32) -> f32 = e + x1 + inf1 + f32x; kernel k(x: f32) "
              "-> f32 { e5(x, x, x, x) }"));
}

TEST_CASE("numbers that are none") {
  for (const char *text : {"12ab", "1.5u8", "0x", "0xg", "1e3i32", "1.", ".5", "1e", "3bool", "1_000",
                           "256u8", "-1u8", "9223372036854775808", "1e309", "1e39f32"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(params + std::string(text) + "}"));
  }
}

TEST_CASE("precedence and associativity") {
  CHECK(op_name(expression("a + a * a")) == "+");
  CHECK(op_name(node_of<Op>("a - a - a").args[0]) == "-");
  CHECK(op_name(node_of<Op>("a / a * a").args[0]) == "/");
  CHECK(op_name(expression("not a < a")) == "not");
  CHECK(op_name(expression("p and not p or p")) == "or");
  CHECK(op_name(node_of<Op>("-a * a").args[0]) == "-");
  CHECK(op_name(expression("a < a + a")) == "<");
  CHECK(op_name(expression("a < a < a")) == "and"); // a chain is a conjunction
}

TEST_CASE("a guard reaches to the end of the product it begins") {
  CHECK(op_name(expression("[N < 3] a * a + a")) == "+");
  CHECK(op_name(node_of<Guard>("[N < 3] a * a").body) == "*");
  CHECK(std::holds_alternative<Guard>(node_of<Guard>("[N < 3] [N < 4] a").body->node));
  CHECK(to_string(node_of<Guard>("[N < 3 and 0 <= M < 4 < N] a").pred) ==
        "N < 3 and 0 <= M and M < 4 and 4 < N");
  CHECK(to_string(node_of<Guard>("[1 <= N < 3 and not N == M] a").pred) == "1 <= N and N < 3 and not N == M");
}

TEST_CASE("max and min: a reduction or an operation") {
  CHECK(op_name(expression("max(a, a)")) == "max");
  CHECK(node_of<Reduce>("max i < N { A[i] }").reduction == Reduction::max);
  Reduce reduce = node_of<Reduce>("min (N - 1) * 2 <= i < min(N, M) { A[i] }");
  CHECK(to_string(reduce.lo) == "(N - 1) * 2");
  CHECK(to_string(reduce.hi) == "min(N, M)");
}

TEST_CASE("names decide between index, condition and data") {
  CHECK(std::holds_alternative<FromIndex>(expression("f32(N + 1)")->node));
  CHECK(std::holds_alternative<FromIndex>(expression("f32(3)")->node));
  CHECK(std::holds_alternative<Convert>(expression("f32(3i32)")->node));
  CHECK(std::holds_alternative<Convert>(expression("i32(a)")->node));
  CHECK(std::holds_alternative<Convert>(expression("f32(N < 3)")->node));
  CHECK(to_string(node_of<FromIndex>("sat_u8(N)").value) == "max(0, min(N, 255))");
  CHECK(to_string(node_of<FromIndex>("sat_u8(3000000000)").value) == "max(0, min(3000000000, 255))");
  CHECK(node_of<Convert>("sat_u8(a)").mode == ConvertMode::saturate);
  CHECK(std::holds_alternative<Test>(node_of<Select>("select(N < 3, a, a)").cond->node));
  CHECK(op_name(node_of<Select>("select(a < 3.0, a, a)").cond) == "<");
  CHECK(op_name(expression("a + 2 * 3")) == "+");
  CHECK(op_name(expression("N < 3 and p")) == "and");
  CHECK(std::holds_alternative<Test>(expression("N < 3 and M < 3")->node));
  CHECK(to_string(node_of<FromIndex>("f32(-N)").value) == "0 - N");
}

TEST_CASE("forms") {
  Gen gen = node_of<Gen>("gen i < N, 1 <= j < i + 1 { B[i, j - 1] }");
  CHECK(gen.var == "i");
  const Gen &inner = std::get<Gen>(gen.body->node);
  CHECK(to_string(inner.hi) == "i + 1");
  CHECK(to_string(std::get<Access>(inner.body->node).indices.at(1)) == "j - 1");
  CHECK(std::get<Access>(expression("A")->node).indices.empty());

  Let let = node_of<Let>("let b = a; let c = b; c");
  CHECK(let.names == std::vector<std::string>{"b"});
  CHECK(std::holds_alternative<Let>(let.body->node));

  Concat concat = node_of<Concat>("concat(A, A, A)");
  CHECK(std::holds_alternative<Concat>(concat.right->node));

  Reshape reshape = node_of<Reshape>("split (N + 1) transpose { B }");
  CHECK(to_string(reshape.args.at(0)) == "N + 1");
  CHECK(std::holds_alternative<Reshape>(reshape.child->node));
}

TEST_CASE("kernels: several outputs, calls, where") {
  Result<Program> program = parse(R"(
    kernel both(N: size, A: f32[N], s: f32) -> (lo: f32, scaled: f32[N]) where N >= 1 {
      let least = min i < N { A[i] };
      (least, gen i < N { A[i] * s })
    }
    kernel use(N: size, A: f32[2 * N]) -> f32 {
      let (lo, scaled) = both(2 * N, A, 2.0);
      lo + scaled[0]
    })");
  REQUIRE(program);
  const Kernel &both = program->kernels.at(0);
  CHECK(both.outputs.at(1).name == "scaled");
  CHECK(to_string(both.where.at(0).pred) == "N >= 1");
  CHECK(std::holds_alternative<Tuple>(std::get<Let>(both.body->node).body->node));
  const Let &let = std::get<Let>(program->kernels.at(1).body->node);
  CHECK(let.names == std::vector<std::string>{"lo", "scaled"});
  const Call &call = std::get<Call>(let.bound->node);
  CHECK(to_string(std::get<Index>(call.args.at(0))) == "2 * N");
  CHECK(std::holds_alternative<ExprPtr>(call.args.at(1)));
  CHECK(program->kernels.at(1).outputs.at(0).name == "out");
}

TEST_CASE("such as: sizes behind the conditions; its words are names elsewhere") {
  Result<Program> program = parse(R"(
    const K = 4;
    kernel k(such: size, as: size, A: f32[such]) -> f32[such] where such > as, as < 3 such as as = K / 2, such = K { A })");
  REQUIRE(program);
  const Kernel &kernel = program->kernels.at(0);
  CHECK(kernel.where.size() == 2);
  REQUIRE(kernel.such_as.size() == 2);
  CHECK(kernel.such_as[0].name == "as");
  CHECK(kernel.such_as[0].value == 2);
  CHECK(kernel.such_as[1].name == "such");
  CHECK(kernel.such_as[1].value == 4);
}

TEST_CASE("constants are replaced by their values") {
  Result<Program> program = parse(R"(
    kernel k(A: f32[L]) -> f32 { A[K - 1] * scale + f32(K) }
    const L = 2 * K;
    const K = 4;
    const scale: f32 = 2.0 * half * f32(K);
    const half: f32 = 1.0 / 2.0;
    const yes: bool = K < L and not (half < 0.25);)");
  REQUIRE(program);
  const Kernel &kernel = program->kernels[0];
  CHECK(as_constant(kernel.params[0].type.shape[0]) == 8);
  const Op &sum = std::get<Op>(kernel.body->node);
  CHECK(equal(std::get<Op>(sum.args[0]->node).args[1], make(Literal{true, 0, 4.0, Elem::f32}, {})));
  CHECK(as_constant(std::get<FromIndex>(sum.args[1]->node).value) == 4);
  CHECK(program->constants.at(0).name == "L");
  CHECK(equal(std::get<ExprPtr>(program->constants.at(4).value),
              make(Literal{false, 1, 0, Elem::boolean}, {})));
}

TEST_CASE("every node has its place") {
  Sources sources;
  const std::string text =
      "kernel k(N: size, A: f32[N]) -> f32[N] { gen i < N, j < 3 { A[i] + [i < 3] (A[j]) } }";
  Result<Program> program = parse({{"t", text}}, "t", sources);
  REQUIRE(program);
  const Kernel &kernel = program->kernels[0];
  CHECK(sources.text(kernel.span) == "k");
  CHECK(sources.text(kernel.params[1].span) == "A");
  const Expr &gen = *kernel.body;
  CHECK(sources.text(gen.span) == "gen i < N, j < 3 { A[i] + [i < 3] (A[j]) }");
  const Expr &inner = *std::get<Gen>(gen.node).body;
  CHECK(sources.text(inner.span) == "j < 3 { A[i] + [i < 3] (A[j]) }");
  const Op &sum = std::get<Op>(std::get<Gen>(inner.node).body->node);
  CHECK(sources.text(sum.args[0]->span) == "A[i]");
  CHECK(sources.text(sum.args[1]->span) == "[i < 3] (A[j])");
}

TEST_CASE("lines and columns of a text") {
  Sources sources;
  sources.add({"empty", ""});
  sources.add({"t", "ab\n\n\xC3\xA9x\r\nlast"});
  auto at = [&](std::uint32_t offset) {
    LineColumn place = sources.locate(1, offset);
    return std::pair(place.line, place.column);
  };
  using Place = std::pair<std::size_t, std::size_t>;
  CHECK(at(0) == Place{1, 1});
  CHECK(at(2) == Place{1, 3}); // the newline is the end of its line
  CHECK(at(3) == Place{2, 1});
  CHECK(at(4) == Place{3, 1});
  CHECK(at(6) == Place{3, 2}); // two bytes, one character
  CHECK(at(13) == Place{4, 5});
  CHECK(sources.locate(0, 0).line == 1);
  CHECK(sources.line_text(1, 2).empty());
  CHECK(sources.line_text(1, 3) == "\xC3\xA9x");
  CHECK(sources.line_text(1, 4) == "last");
  CHECK(sources.line_text(1, 5).empty());
}

TEST_CASE("equal tells the zeros apart, and no NaNs") {
  auto real = [](double value) { return make(Literal{true, 0, value, Elem::f64}, {}); };
  CHECK(equal(real(0.5), real(0.5)));
  CHECK_FALSE(equal(real(0.0), real(-0.0)));
  CHECK(equal(real(std::nan("")), real(std::nan(""))));
  CHECK(equal(real(std::nan("")), real(-std::nan(""))));
}

TEST_CASE("imports: relative to the importing file, each once, visible together") {
  Files files{
      {"dir/main.atl",
       "import \"lib/a.atl\"; import \"../other.atl\"; kernel k(x: f32) -> f32 { f(x) + g(x) + K }"},
      {"dir/lib/a.atl", "import \"../../other.atl\"; fn f(x: f32) -> f32 = g(x);"},
      {"other.atl", "fn g(x: f32) -> f32 = x; const K: f32 = 1.0;"},
  };
  Sources sources;
  Result<Program> program = parse(files, "dir/main.atl", sources);
  REQUIRE(program);
  CHECK(sources.size() == 3);
  CHECK(program->functions.at(0).name == "g"); // imported first
  CHECK(program->functions.at(1).name == "f");
}

TEST_CASE("a file is read once, whatever it is called") {
  Files files{{"main", "import \"a\"; import \"again/a\"; kernel k(x: f32) -> f32 { f(x) }"},
              {"a", "fn f(x: f32) -> f32 = x;"}};
  Sources sources;
  REQUIRE(parse(files, "main", sources));
  CHECK(sources.size() == 2);
  CHECK(errors_of({{"a", "import \"again/a\"; const K = 1;"}}, "a") == "a:1:8 E1009 'a' imports 'a'\n");
}

TEST_CASE("imports that fail") {
  CHECK(errors_of({{"a/x", "import \"y\";\nfn f(x: f32) -> f32 = g(x);"}}, "a/x") ==
        "a/x:1:8 E1011 cannot find a/y\n");
  CHECK(errors_of({{"a", "import \"b\";"}, {"b", "import \"./a\";"}}, "a") ==
        "b:1:8 E1009 'a' imports 'b' imports 'a'\n");
  CHECK(errors_of({{"a", "import \"b\";\nfn f(x: f32) -> f32 = nothing;"}, {"b", "fn g(x: f32) -> f32 = ;"}},
                  "a") ==
        "a:2:23 E1005 unknown name 'nothing'\nb:1:23 E1001 expected an expression, found ';'\n");
  Files chain;
  for (int i = 0; i < 300; ++i)
    chain["f" + std::to_string(i)] =
        "import \"f" + std::to_string(i + 1) + "\"; const c" + std::to_string(i) + " = 1;";
  CHECK(errors_of(chain, "f0") == "f199:1:8 E1003 more than 200 imports are nested here\n");
}

TEST_CASE("several errors in one run, in source order") {
  CHECK(errors_of("fn f(x: f32) -> f32 = y;\n"
                  "kernel broken(N: size) -> f32 { 1.0 + }\n"
                  "fn g(x: f32) -> f32 = broken(3) + z + z;\n"
                  "garbage kernel last(N: size) -> f32 { w }\n") ==
        "t:1:23 E1005 unknown name 'y'\n"
        "t:2:39 E1001 expected an operand, found '}'\n"
        "t:3:35 E1005 unknown name 'z'\n"
        "t:4:1 E1001 expected 'import', 'const', 'fn', 'kernel', 'step', 'schedule' or 'hardware', found "
        "'garbage'\n"
        "t:4:39 E1005 unknown name 'w'\n");
}

TEST_CASE("a page of messages is enough") {
  Result<Program> program = parse(repeat("fn ", 1000));
  REQUIRE_FALSE(program);
  CHECK(program.errors().size() == 100);
  CHECK(program.errors().back().notes.back().text == "further errors are not shown");
}

TEST_CASE("encodings") {
  const std::string kernel = "kernel k(x: f32) -> f32 { x } ";
  CHECK(parse("\xEF\xBB\xBF" + kernel)); // byte order mark
  CHECK(parse("kernel k(x: f32)\r\n-> f32\r\n{ x } // \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"));
  for (const char *bad :
       {"\xFF", "\xC3", "\xC3(", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80"}) {
    CAPTURE(bad);
    CHECK(errors_of(kernel + "\n// " + bad).starts_with("t:2:4 E1002 byte 0x"));
  }
  CHECK(errors_of(kernel + "\n// \xFE").find("byte 0xfe at offset 34 is not UTF-8") != std::string::npos);
  CHECK(errors_of(kernel + std::string(1, '\0')).find("found the character U+0000") != std::string::npos);
  CHECK(errors_of("kernel k(x: f32) -> f32 { \xC3\xA4 }") ==
        "t:1:27 E1001 expected an expression, found '\xC3\xA4'\n");
  CHECK(errors_of("import \"\xC3\xA4\";").find("E1011") != std::string::npos);
  CHECK(errors_of(kernel + "\xC3\xA4").find("found '\xC3\xA4'") != std::string::npos);
}

TEST_CASE("text without a program") {
  for (const char *text : {"", " \n", "// only a comment", "/**/", "\xEF\xBB\xBF"})
    CHECK(errors_of(text) == "t:1:1 E1001 there are no definitions; a program has at least one kernel\n");
  CHECK(errors_of("/* /* */ */").find("found '*'") != std::string::npos); // comments do not nest
  CHECK(errors_of("kernel k(x: f32) -> f32 { x } /*") == "t:1:31 E1001 this comment is not closed\n");
  CHECK(errors_of("import \"x\n\";") == "t:1:8 E1001 this string is not closed on its line\n");
  CHECK(errors_of("kernel k(x: f32) -> f32 { x").find("expected '}', found the end of the file") !=
        std::string::npos);
}

TEST_CASE("deep nesting is refused, whatever nests") {
  constexpr int many = 100000;
  struct Nesting {
    std::string open, middle, close;
  };
  const Nesting all[] = {{"(", "a", ")"},       {"{", "a", "}"},
                         {"-", "a", ""},        {"not ", "p", ""},
                         {"[N < 1] ", "a", ""}, {"flatten ", "a", ""},
                         {"A[", "1", "]"},      {"gen i < N { ", "a", "}"},
                         {"f32(", "1", ")"},    {"max(a, ", "a", ")"},
                         {"split (", "", ""},   {"let b = { ", "a", "; a }"},
                         {"(", "", ""},         {"sum i < max(1, ", "1", ") { a }"}};
  for (const Nesting &n : all) {
    CAPTURE(n.open);
    CHECK(errors_of(params + repeat(n.open, many) + n.middle + repeat(n.close, many) + "}").find(" E1003 ") !=
          std::string::npos);
    std::string fine = errors_of(params + repeat(n.open, 60) + n.middle + repeat(n.close, 60) + "}");
    CHECK(fine.find(" E1003 ") == std::string::npos);
  }
}

TEST_CASE("long chains are refused: trees have a depth that recursion can bear") {
  constexpr int many = 100000;
  std::string lets, binders = "i0 < N";
  for (int i = 0; i < 1000; ++i) {
    lets += "let x" + std::to_string(i) + " = a; ";
    binders += ", i" + std::to_string(i + 1) + " < N";
  }
  for (const std::string &text :
       {"a" + repeat(" + a", many), "a" + repeat(" * a", many), "p" + repeat(" and p", many),
        "p" + repeat(" or p", many), "N" + repeat(" < N", many), "p and N" + repeat(" < N", many),
        "A[N" + repeat(" - N", many) + "]", "concat(A" + repeat(", A", many) + ")", lets + "a",
        "gen " + binders + " { a }"}) {
    CAPTURE(text.substr(0, 20));
    CHECK(errors_of(params + text + "}").find(" E1003 more than 500 operators") != std::string::npos);
  }
  CHECK(parse(params + std::string("a") + repeat(" + a", 400) + "}"));
}

TEST_CASE("definitions that refer to each other in long chains") {
  std::string constants, functions = "fn f0(x: f32) -> f32 = x;", doubling = functions;
  for (int i = 0; i < 20000; ++i)
    constants += "const c" + std::to_string(i) + " = c" + std::to_string(i + 1) + ";\n";
  for (int i = 1; i < 20000; ++i) {
    std::string callee = "f" + std::to_string(i - 1) + "(x)";
    std::string head = "fn f" + std::to_string(i) + "(x: f32) -> f32 = ";
    functions += head + callee + ";\n";
    if (i < 100)
      doubling += head + callee + " + " + callee + ";\n";
  }
  CHECK(errors_of(constants).find(" E1003 ") != std::string::npos);
  CHECK(errors_of(functions).find(" E1003 'f") != std::string::npos);
  CHECK(errors_of(doubling).find("parts once its calls are replaced by their definitions") !=
        std::string::npos);
}

TEST_CASE("ten megabytes") {
  constexpr int size = 10000000;
  CHECK(errors_of(std::string(size, 'x')).size() < 1000);
  CHECK(errors_of(std::string(size, '(')).size() < 1000);
  CHECK(errors_of("/*" + std::string(size, ' ')).size() < 1000);
  CHECK(errors_of("import \"" + std::string(size, ' ')).size() < 1000);
  CHECK(parse("kernel k(x: f32) -> f32 { x }" + std::string(size, '\n')));
}

} // namespace atl::parse_test
