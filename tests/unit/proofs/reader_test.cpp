// The reader of emitted C: it reads back what is emitted, and refuses every text that was changed in one
// place.
#include "proofs/discharge.h"
#include "tests/support/c_mutants.h"
#include "tests/support/scheduled.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace atl::reader_test {

using proofs::reader::Emitted;

using testing::emitted;

namespace {

std::vector<lowering::LoopKernel> kernels_of(const std::string &text) {
  std::vector<lowering::LoopKernel> kernels;
  for (const TypedKernel &typed : testing::typed_kernels(text)) {
    auto loops = lowering::lower(padtypes::check_pads(typed));
    REQUIRE(loops);
    kernels.push_back(*loops);
  }
  return kernels;
}

std::size_t check_mutants(const std::string &program, const std::string &from) {
  return testing::check_mutants(kernels_of(program), from);
}

} // namespace

TEST_CASE("reader: a kernel with loops, guards, sums and a temporary") {
  CHECK(check_mutants(
            "kernel f(N: size, M: size, s: f32, x: f32[N + 2, M], y: f32[N, M]) -> (a: f32[N, M], b: f32) "
            "where 1 <= N, N * M <= 1000000 {"
            "  let t = gen i < N + 2 { gen j < M { x[i, M - 1 - j] * 0.5 } };"
            "  (gen i < N { gen j < M { [i + j < N] (t[i + 2, j] - s + y[i, j]) } },"
            "   sum k < N { x[k, (k + k) % M] }) }",
            "int f(") > 1000);
}

TEST_CASE("reader: memory that temporaries share, and parts of it for threads") {
  CHECK(check_mutants("kernel f(N: size, x: f32[N]) -> f32[N] { let a = gen i < N { x[N - 1 - i] };"
                      "  let b = gen parallel i < N { let t = gen k < N { a[k] }; t[N - 1 - i] };"
                      "  let c = gen i < N { b[N - 1 - i] };"
                      "  gen parallel i < N { let u = gen k < N + 1 { f64(c[0]) }; f32(u[i]) } }",
                      "int f(") > 1000);
  CHECK(check_mutants("kernel f(N: size, x: f32[N]) -> f32[N] {"
                      "  let a = gen i < N { x[N - 1 - i] }; let b = gen i < N { a[N - 1 - i] };"
                      "  let c = gen i < N { b[N - 1 - i] }; let d = gen i < N { c[N - 1 - i] };"
                      "  gen i < N { d[i] } }",
                      "int f(") > 1000);
}

TEST_CASE("reader: memory that is needed for some sizes only") {
  const std::vector<lowering::LoopKernel> kernels =
      kernels_of("kernel f(N: size, x: f32[N]) -> f32[N] { [N >= 4] { let t = gen i < N { x[N - 1 - i] };"
                 "  gen i < N { sum k < N { t[k] * x[i] } } } }");
  CHECK(emitted(kernels).source.find("t_bytes = atl_when(N >= 4, ") != std::string::npos);
  CHECK(testing::check_mutants(kernels, "int f(") > 500);
}

TEST_CASE("reader: tensors that never have elements, and code that never runs") {
  CHECK(check_mutants("kernel f(N: size, x: i32[N, N + 3, 0], y: f32[N]) -> (a: i32[0 % 4], b: f32[N]) {"
                      "  (gen i < 0 % 4 { x[i, 0, 0 % (i - i)] }, gen i < N { y[N - 1 - i] }) }",
                      "int f(") > 300);
}

TEST_CASE("reader: a kernel in several versions, of which one needs memory") {
  testing::ScheduledText s =
      testing::scheduled("kernel f(N: size, x: f32[N, N]) -> f32[N] { gen i < N { sum k < N { x[k, i] } } }"
                         " schedule s for f { specialize when N >= 8 and N < 100 { stage x at i as row; }"
                         " specialize when N % 4 == 0 { split i by 4 tail exact; } }");
  REQUIRE(s.problem == "");
  const std::string source = emitted({s.loops}).source;
  CHECK(source.find("if (N >= 8 && N < 100)\n    return f_v1(N, x, out);") != std::string::npos);
  const std::size_t allocates = source.find("atl_alloc(row_bytes)");
  CHECK(source.find("int f_v1(") < allocates);
  CHECK(allocates < source.find("int f_v2("));
  CHECK(testing::check_mutants({s.loops}, "int f_v1(") > 1000);
}

TEST_CASE("reader: integers, choices, conversions, reductions") {
  CHECK(
      check_mutants("kernel f(N: size, x: u8[N, 3], y: i32[N]) -> (a: i32, b: u8[N], c: f64[N], d: bool[N]) {"
                    " (max i < N { y[i] / 3 + i32(i) }, gen i < N { sat_u8(i32(x[i, 2]) - y[i] % 7) },"
                    "  gen i < N { select(i % 2 == 0, f64(y[i]), 1.0 / f64(i + 1)) },"
                    "  gen i < N { x[i, 0] < x[i, 1] and not (y[i] == 5 or i / 2 > 3) }) }",
                    "int f(") > 1000);
}

TEST_CASE("reader: parallel and vectorized loops, arrays on the stack") {
  CHECK(check_mutants(
            "kernel f(N: size, x: f32[N, 8]) -> f32[N, 8] { gen parallel i < N { gen parallel j < 8 { x[i, "
            "j] } } }"
            " kernel g(N: size, x: f32[N, 8]) -> f32[N, 8] { gen i < N {"
            " let t = gen vectorized j < 8 { x[i, 7 - j] }; gen vectorized j < 8 { t[7 - j] + t[j] } } }",
            "") > 1000);
}

TEST_CASE("reader: the header") {
  std::vector<lowering::LoopKernel> kernels =
      kernels_of("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }");
  const Emitted right = emitted(kernels);
  for (auto [from, to] : {std::pair{"LIB_OK = 0", "LIB_OK = 1"},
                          {"LIB_WHERE_VIOLATED = 2,", ""},
                          {"#define LIB_RESTRICT restrict", "#define LIB_RESTRICT volatile"},
                          {"#include <stdint.h>", "#define int64_t int"},
                          {"int f(", "#define float int\nint f("}}) {
    Emitted wrong = right;
    wrong.header.replace(wrong.header.find(from), std::string(from).size(), to);
    CHECK(read_back(wrong, kernels).differences.size() == 1);
  }
}

TEST_CASE("reader: the header declares functions as the source defines them") {
  std::vector<lowering::LoopKernel> kernels =
      kernels_of("kernel f(M: size, N: size, s: f32, x: f32[M, N], int: f32[N]) -> f32[M] {"
                 " gen i < M { sum j < N { s * x[i, j] * int[j] } } }");
  const Emitted right = emitted(kernels);
  REQUIRE(read_back(right, kernels).differences.empty());
  for (const auto &change : {std::pair{"int f(int64_t M, int64_t N", "int f(int64_t N, int64_t M"},
                             {"int f(int64_t M, int64_t N", "int f(int64_t M, int64_t n"},
                             {"const float *LIB_RESTRICT x, const float *LIB_RESTRICT int_",
                              "const float *LIB_RESTRICT int_, const float *LIB_RESTRICT x"},
                             {"const float *LIB_RESTRICT x", "float *LIB_RESTRICT x"},
                             {"int64_t M, int64_t N, float s", "int64_t M, int64_t N, double s"},
                             {"int f(", "int g("},
                             {"//   M     size", "//   N     size"},
                             {"//   s     f32\n", ""},
                             {"f32[N], read", "f32[N], written"}}) {
    const std::string from = change.first, to = change.second;
    Emitted wrong = right;
    REQUIRE_MESSAGE(wrong.header.find(from) != std::string::npos, from, " in ", wrong.header);
    wrong.header.replace(wrong.header.find(from), std::string(from).size(), to);
    CHECK_MESSAGE(read_back(wrong, kernels).differences.size() == 1, to);
  }
  Emitted both = right; // the same exchange in both files
  for (std::string *text : {&both.header, &both.source}) {
    const std::string from = "int f(int64_t M, int64_t N", to = "int f(int64_t N, int64_t M";
    text->replace(text->find(from), from.size(), to);
  }
  CHECK(!read_back(both, kernels).differences.empty());
}

TEST_CASE("reader: what hides code from a C compiler") {
  std::vector<lowering::LoopKernel> kernels =
      kernels_of("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }");
  const Emitted right = emitted(kernels);
  REQUIRE(read_back(right, kernels).differences.empty());
  for (const char *comment : {"// x \\\n", "// x \\ \t\n", "// x ?\?/\n", "// x\r", "// x\f\n", "// ?\?=\n",
                              "// ?\?'\n", "/* x */\n", "/* x\n", "// x\v\n", "// \x1b[8m\n"}) {
    for (const char *place : {"int f(", "    out[i]", "const char *lib_strerror"}) {
      Emitted wrong = right;
      wrong.source.insert(wrong.source.find(place), comment);
      CHECK_MESSAGE(!read_back(wrong, kernels).differences.empty(), comment, " before ", place);
    }
    Emitted wrong = right;
    wrong.header.insert(wrong.header.find("int f("), comment);
    CHECK_MESSAGE(!read_back(wrong, kernels).differences.empty(), comment, " in the header");
  }
  for (const char *digraph : {"<:", ":>", "<%", "%>", "%:"}) {
    Emitted wrong = right;
    wrong.source.insert(wrong.source.find("    out[i]"), digraph);
    CHECK_MESSAGE(!read_back(wrong, kernels).differences.empty(), digraph);
  }
}

TEST_CASE("reader: what C computes on the way to an offset fits 64 bits") {
  std::vector<lowering::LoopKernel> kernels = kernels_of(
      "kernel f(N: size, M: size, P: size, Q: size, x: u8[N, M + 10], y: f32[N, M, M]) -> (a: u8[N, M], b: "
      "f32[N])"
      " where M <= 100, P <= 9223372036854775700, Q <= 9223372036854775700, Q <= P, P - Q <= 10 {"
      " (gen i < N, j < M { x[i, j + (P - Q)] }, gen i < N { sum j < M, k < M { y[i, j, M - 1 - k] } }) }");
  const Emitted right = emitted(kernels);
  const auto accepts = [&](const Emitted &text) {
    const auto reading = read_back(text, kernels);
    proofs::Prover prover;
    return reading.differences.empty() && std::all_of(reading.conditions.begin(), reading.conditions.end(),
                                                      [&](const Obligation &o) { return prover.proves(o); });
  };
  REQUIRE(accepts(right));
  const std::string offset = "x[i*(M + 10) + (j + P - Q)]";
  REQUIRE(right.source.find(offset) != std::string::npos);
  for (const char *same : {"x[i*(M + 10) + ((j + P) - Q)]", "x[(i*(M + 10)) + (j + P - Q)]"}) {
    Emitted other = right;
    other.source.replace(other.source.find(offset), offset.size(), same);
    CHECK_MESSAGE(accepts(other), same);
  }
  for (const char *wrong :
       {"x[i*(M + 10) + j + P - Q]", "x[(i*(M + 10) + j) + (P - Q) + 0*(N*N*N*N*N)]",
        "x[i*(M + 10) + (j + P - Q) + 0*(N*N*N*N*N)]",
        "x[i*(M + 10) + (j + P - Q) + 9223372036854775807 - 9223372036854775807]",
        "x[9223372036854775807 + i*(M + 10) + (j + P - Q) - 9223372036854775807]",
        "x[(i*(M + 10) + P) + (j - Q)]", "x[i*(M + 10) + j + 1 + (P - Q) - 1 + (P + P - P - P)]"}) {
    Emitted other = right;
    other.source.replace(other.source.find(offset), offset.size(), wrong);
    CHECK_MESSAGE(!accepts(other), wrong);
  }
  // In bounds and conditions as well.
  for (const auto &change :
       {std::pair{"for (int64_t i = 0; i < N;", "for (int64_t i = 0; i < N + 0*(N*N*N*N*N);"},
        {"for (int64_t j = 0; j < M;", "for (int64_t j = 0*(N*N*N); j < M;"}}) {
    const std::string from = change.first, to = change.second;
    Emitted other = right;
    const std::size_t at = other.source.find(from);
    REQUIRE(at != std::string::npos);
    other.source.replace(at, from.size(), to);
    CHECK_MESSAGE(!accepts(other), to);
  }
}

TEST_CASE("reader: a difference has a place in the C") {
  std::vector<lowering::LoopKernel> kernels =
      kernels_of("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[(i + 1) % N] } }");
  Emitted wrong = emitted(kernels);
  wrong.source.replace(wrong.source.find("(i + 1)%N") + 1, 1, "N");
  wrong.source_file = 7;
  proofs::reader::Reading reading = read_back(wrong, kernels);
  REQUIRE(reading.differences.size() == 1);
  CHECK(reading.differences[0].code == Code::c_text_differs);
  CHECK(reading.differences[0].message == "the loop nest has (i + 1) % N here");
  CHECK(reading.differences[0].span->file == 7);
  CHECK(wrong.source.substr(reading.differences[0].span->begin - 7, 9) == "(N + 1)%N");
}

TEST_CASE("reader: the loop nest of another kernel is refused") {
  std::string begin = "kernel f(N: size, x: f32[N]) -> f32[N] { ";
  auto kernels = kernels_of(begin + "gen i < N { x[i] } }");
  const Emitted text = emitted(kernels);
  CHECK(read_back(text, kernels).differences.empty());
  for (const char *other :
       {"gen i < N { x[N - 1 - i] } }", "gen i < N { x[i] + x[i] } }", "gen i < N { [i < 5] x[i] } }",
        "gen i < N { sum k < N { x[k] } } }", "gen parallel i < N { x[i] } }",
        "let t = gen i < N { x[i] }; gen i < N { t[i] } }"})
    CHECK_MESSAGE(read_back(text, kernels_of(begin + other)).differences.size() == 1, other);
}

TEST_CASE("reader: the function that chooses what the CPU can run") {
  auto under = [](const char *body, const std::string &hardware, std::vector<std::string> features) {
    auto kernel = kernels_of(std::string("kernel f(N: size, x: f32[N]) -> f32[N] { ") + body + " }").at(0);
    auto described = std::make_shared<Hardware>();
    described->name = hardware;
    described->header = hardware + ".h";
    described->available = "defined(__GNUC__)";
    described->features = std::move(features);
    kernel.hardware = hardware.empty() ? nullptr : described;
    return kernel;
  };
  std::vector<lowering::LoopKernel> kernels{under("gen i < N { x[i] + x[i] }", "wide", {"a512", "b512"}),
                                            under("gen i < N { 2.0 * x[i] }", "narrow", {"a2"}),
                                            under("gen i < N { x[i] * 2.0 }", "", {})};
  const Emitted right = emitted(kernels);
  REQUIRE(read_back(right, kernels).differences.empty());
  CHECK(right.source.find("f_portable(int64_t N") < right.source.find("f_wide(int64_t N"));
  for (const auto &change :
       {std::pair{"if (ATL_CPU_HAS(\"a512\") && ATL_CPU_HAS(\"b512\"))", "if (ATL_CPU_HAS(\"a512\"))"},
        {"if (ATL_CPU_HAS(\"a2\"))", "if (ATL_CPU_HAS(\"a512\"))"},
        {"return f_narrow(N, x, out);", "return f_wide(N, x, out);"},
        {"return f_portable(N, x, out);", "return f_narrow(N, x, out);"},
        {"__attribute__((target(\"a2\")))", "__attribute__((target(\"a512\")))"},
        {"optimize(\"no-tree-pre\")", "optimize(\"fast-math\")"},
        {"(feature) __builtin_cpu_supports(feature)", "(feature) 1"},
        {"out[i] = x[i] * 2.0f;", "out[i] = x[i] * 3.0f;"}}) {
    // not a structured binding, which lambdas of clang 14 do not take
    const std::string from = change.first, to = change.second;
    Emitted wrong = right;
    REQUIRE_MESSAGE(wrong.source.find(from) != std::string::npos, from);
    wrong.source.replace(wrong.source.find(from), from.size(), to);
    CHECK_MESSAGE(!read_back(wrong, kernels).differences.empty(), to);
  }
  std::swap(kernels[0], kernels[1]);
  CHECK(!read_back(right, kernels).differences.empty());
}

} // namespace atl::reader_test
