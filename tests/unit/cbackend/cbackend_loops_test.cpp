// The C of parallel, vectorized and unrolled loops, and the memory of temporaries.
#include "cbackend/function/workspace.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/native.h"
#include "cbackend/library/emit_c.h"
#include "tests/support/from_text.h"

#include <doctest/doctest.h>

namespace atl::cbackend_loops_test {

using atl::testing::lowered;
using lowering::LoopKernel;

namespace {

std::string source_of(const LoopKernel &k) {
  return cbackend::emit_source("lib", {k});
}

int count(const std::string &text, const std::string &part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

// The pieces of the workspace, each as the names that share it: "a c | b", "+" in front if threads have
// parts.
std::string pieces(const LoopKernel &k) {
  cbackend::NameScope names;
  std::string text;
  for (const cbackend::HeapPiece &piece : cbackend::plan_workspace(k.body, names).pieces) {
    text += text.empty() ? "" : " | ";
    text += piece.per_thread ? "+" : "";
    for (std::size_t i = 0; i < piece.temporaries.size(); ++i)
      text += (i == 0 ? "" : " ") + piece.temporaries[i].c_name;
  }
  return text;
}

std::string bytes(const LoopKernel &k) {
  cbackend::NameScope names;
  Facts facts;
  for (const Pred &assumption : k.assumptions)
    facts.assume(assumption);
  return to_string(cbackend::plan_workspace(k.body, names).bytes(facts));
}

} // namespace

TEST_CASE("workspace: what is dead gives its memory") {
  LoopKernel chain = lowered("kernel f(N: size, x: f32[N]) -> f32[N] {"
                             "  let a = gen i < N { x[N - 1 - i] }; let b = gen i < N { a[N - 1 - i] };"
                             "  let c = gen i < N { b[N - 1 - i] }; let d = gen i < N { c[N - 1 - i] };"
                             "  gen i < N { d[i] } }");
  CHECK(pieces(chain) == "a c | b d");
  CHECK(bytes(chain) == "N * 8");
  LoopKernel read_late = lowered("kernel f(N: size, x: f32[N]) -> f32[N] {"
                                 "  let a = gen i < N { x[N - 1 - i] }; let b = gen i < N { a[N - 1 - i] };"
                                 "  let c = gen i < N { b[N - 1 - i] }; gen i < N { a[i] + c[i] } }");
  CHECK(pieces(read_late) == "a | b | c");
}

TEST_CASE("workspace: the larger of those that share it counts") {
  CHECK(bytes(lowered("kernel f(N: size, x: f32[N]) -> f32[N] {"
                      "  let a = gen i < N { x[N - 1 - i] }; let b = gen i < N { a[N - 1 - i] };"
                      "  let c = gen i < N + 3 { f64(b[0]) }; gen i < N { f32(c[i]) } }")) == "N * 12 + 24");
}

TEST_CASE("workspace: what a loop uses is alive in all its iterations") {
  // a is read before t is stored, but again in the next iteration.
  CHECK(
      pieces(lowered("kernel f(N: size, x: f32[N]) -> f32[N] { let a = gen i < N { x[N - 1 - i] };"
                     "  gen i < N { let s = a[i]; let t = gen k < N { s * x[k] }; sum k < N { t[k] } } }")) ==
      "a | t");
  // Both live within one iteration, one after the other.
  CHECK(pieces(lowered("kernel f(N: size, x: f32[N]) -> f32[N, N] { gen i < N {"
                       "  let t = gen k < N { x[k] }; let s = sum k < N { t[k] };"
                       "  let u = gen k < N { s * x[N - 1 - k] }; gen k < N { u[N - 1 - k] } } }")) == "t u");
}

TEST_CASE("workspace: threads have parts of what is inside a parallel loop, and of nothing else") {
  LoopKernel k = lowered("kernel f(N: size, x: f32[N]) -> f32[N] { let a = gen i < N { x[N - 1 - i] };"
                         "  let b = gen parallel i < N { let t = gen k < N { a[k] }; t[N - 1 - i] };"
                         "  gen parallel i < N { let u = gen k < N + 1 { b[0] }; u[i] } }");
  CHECK(pieces(k) == "a | b | +t u");
  CHECK(bytes(k).find("cdiv(N * 4 + 4, 64) * threads * 64") != std::string::npos);
}

TEST_CASE("parallel loops: the outermost has the threads, with as many as there are parts") {
  std::string nested = source_of(lowered("kernel f(N: size, x: f32[N, N]) -> f32[N, N] {"
                                         "  gen parallel i < N { gen parallel j < N { x[j, i] } } }"));
  CHECK(count(nested, "#pragma omp") == 1);
  CHECK(count(nested, "  #pragma omp parallel for collapse(2)\n") == 1);
  CHECK(count(nested, "omp_") == 0);
  std::string triangle =
      source_of(lowered("kernel f(N: size, x: f32[N]) -> f32[N, N] {"
                        "  gen parallel i < N { padr (N - i) gen parallel j < i { x[j] } } }"));
  CHECK(count(triangle, "#pragma omp parallel for\n") == 1);
  std::string vast = source_of(lowered("kernel f(N: size, x: f32[1]) -> f32[N, N] where N <= 1000000000000 {"
                                       "  gen parallel i < N { gen parallel j < N { x[0] } } }"));
  CHECK(count(vast, "#pragma omp parallel for\n") == 1);
  std::string parts = source_of(lowered("kernel f(N: size, x: f32[N, N]) -> f32[N] { gen parallel i < N {"
                                        "  let t = gen k < N { x[k, i] }; t[i] } }"));
  CHECK(count(parts, "#ifdef _OPENMP\n  #pragma omp parallel for num_threads(threads)\n  #endif\n") == 1);
  CHECK(count(parts, "float *restrict t = atl_part(t_parts, t_parts_bytes, threads);") == 1);
  CHECK(count(source_of(lowered("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }")),
              "OPENMP") == 0);
}

TEST_CASE("parallel loops: parts that do not fit in memory are an error") {
  LoopKernel k = lowered("kernel f(N: size, x: u8[1]) -> u8[2] { gen parallel i < 2 {"
                         "  let t = gen k < N, l < N { x[0] }; select(N > 0, t[N - 1, N - 1], 0) } }");
  auto library = cbackend::NativeLibrary::compile({k});
  REQUIRE(library);
  Tensors inputs{{"x", make_tensor(Elem::u8, {1})}};
  CHECK(library->call("f", {{"N", 3}}, inputs));
  auto result = library->call("f", {{"N", 2147483647}}, inputs);
  REQUIRE_FALSE(result);
  CHECK(result.errors()[0].code == Code::out_of_memory);
}

TEST_CASE("arrays of copies are in blocks of their own, so that they can share the stack") {
  std::string c = source_of(lowered("kernel f(x: f32[4, 100]) -> f32[4] { gen unrolled i < 4 {"
                                    "  let t = gen k < 100 { x[i, k] }; t[0] * t[99] } }"));
  CHECK(count(c, "  {\n    float t") == 3);
  CHECK(count(c, "\n  float t_4[100];") == 1);
}

TEST_CASE("OpenMP is asked for where a kernel has a parallel loop and the compiler knows it") {
  LoopKernel sequential = lowered("kernel f(N: size, x: f32[N]) -> f32[N] { gen vectorized i < N { x[i] } }");
  LoopKernel parallel = lowered("kernel g(N: size, x: f32[N]) -> f32[N] { gen parallel i < N { x[i] } }");
  CHECK_FALSE(cbackend::wants_openmp({sequential}));
  CHECK(cbackend::wants_openmp({sequential, parallel}));
  CHECK_FALSE(cbackend::has_openmp({"false"}));
  for (bool openmp : {false, true}) {
    auto files = cbackend::emit_library("lib", {sequential, parallel}, {.openmp = openmp}).files();
    CHECK(count(files.at("lib.pc"), "-fopenmp") == openmp);
    CHECK(count(files.at("libConfig.cmake"), "-fopenmp") == openmp);
    CHECK((count(files.at("meson.build"), "dependency('openmp', required: false)") > 0) == openmp);
    CHECK(count(files.at("lib.json"), "\"parallel\": true") == 1);
  }
}

} // namespace atl::cbackend_loops_test
