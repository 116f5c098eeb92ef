#include "cbackend/library/emit_c.h"

#include "cbackend/function/emit_kernel.h"
#include "cbackend/function/interface.h"
#include "cbackend/library/packaging.h"
#include "cbackend/term/prelude.h"
#include "lowering/nest/uses.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace atl::cbackend {

namespace {

using lowering::LoopKernel;

// What must hold of the compiler. Contracting a*b + c into one rounding would change results. Without
// rounding-math, gcc 12 takes 0.0f - (float)i for -(float)i, which is another zero for i = 0. Without
// schedule-insns it loads again what an operation uses twice; sched-pressure keeps that from filling the
// registers, and ira-region=all lets a loop have all of them.
// Compilers warn of code that never runs, and of clauses that always hold; what they suspect is proved not to
// happen.
constexpr std::string_view assumptions_of_the_source = R"(
#if defined(__clang__) && defined(__x86_64__)
#pragma float_control(precise, on)
#pragma STDC FP_CONTRACT OFF
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "rounding-math", "schedule-insns", "sched-pressure", "ira-region=all")
#endif
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "-ffast-math changes what these kernels compute"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "-funsafe-math-optimizations and its parts change what these kernels compute"
#endif
#ifdef __FLT_EVAL_METHOD__
#if __FLT_EVAL_METHOD__ < 0 || __FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2
#error "-mfpmath=387 and other excess precision change what these kernels compute"
#endif
#endif
_Static_assert(CHAR_BIT == 8 && sizeof(size_t) == 8, "a 64-bit machine with 8-bit bytes is needed");
_Static_assert((int32_t)UINT32_C(0x80000000) == INT32_MIN, "conversion to signed types must wrap");
_Static_assert(sizeof(1.0) == sizeof(double), "-fsingle-precision-constant changes what these kernels compute");
_Static_assert(sizeof(bool) == 1 && sizeof(float) == 4 && sizeof(double) == 8, "unexpected sizes of types");

)";

// Flags of gcc that change results have macros. Those of clang have none: a pragma undoes them for operators
// with two operands, but only on x86-64, and not -ffp-contract=fast. Negations, selections and calls keep the
// permission to ignore signs of zeros, NaN or infinity. So a program is ended before it runs such a kernel.
constexpr std::string_view check_of_floats = R"(#if defined(__clang__)
#if defined(__x86_64__)
#define ATL_PROBE __attribute__((target("fma"), noinline))
#else
#define ATL_PROBE __attribute__((noinline))
#endif
extern long write(int file, const void *text, size_t bytes);
ATL_PROBE static bool atl_is_exact(float a, float large, float zero, float b) {
  return a * a - 1.00048828125f == 0 && (a + large) - large == 2 && 1 / (zero + 0.0f) > 0 && b / 49.0f == 1;
}
__attribute__((noinline)) static bool atl_has_special_values(float zero, float nan, float infinity) {
  const float negated = -(zero - zero), size = __builtin_fabsf(nan);
  const bool has_infinity = __builtin_fabsf(infinity) == __builtin_inff();
  return 1 / negated < 0 && size != size && has_infinity;
}
__attribute__((constructor)) static void atl_check_floats(void) {
  volatile float a = 1.000244140625f, large = 16777216.0f, zero = -0.0f, b = 49.0f;
  volatile float nan = __builtin_nanf(""), infinity = __builtin_inff();
  static const char text[] = "error: -ffp-contract=fast or another flag of clang changes what kernels compute\n";
  bool right = atl_has_special_values(zero, nan, infinity);
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("fma"))
#endif
    right = right && atl_is_exact(a, large, zero, b);
  if (!right) {
    (void)write(2, text, sizeof text - 1);
    __builtin_abort();
  }
}
#endif
)";

std::string emit_strerror(const CLibrary &library) {
  std::string text =
      fmt::format("const char *{}_strerror(int error) {{\n  switch (error) {{\n", library.identifier);
  for (const RuntimeErrorInfo &row : runtime_errors)
    text += fmt::format("  case {}: return \"{}\";\n", library.codes(row.error), row.message);
  return text + "  default: return \"unknown error\";\n  }\n}\n";
}

// Which instructions the CPU has is asked through a macro, so that a test can pretend that there are fewer.
constexpr std::string_view question_to_the_cpu = R"(#ifndef ATL_CPU_HAS
#define ATL_CPU_HAS(feature) __builtin_cpu_supports(feature)
#endif
)";

// Values that gcc 12 carries from one iteration to the next by itself, it keeps in memory where registers of
// accumulators are many (int8_matmul took twice as long).
constexpr std::string_view wishes_for_instructions = R"(#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-pre")
#endif
)";

std::string hardware_headers(const CLibrary &library) {
  std::set<std::string> includes;
  bool asks = false;
  for (const CKernel &kernel : library.kernels)
    for (const CVersion &version : kernel.mapped) {
      const Hardware &hardware = *version.kernel->hardware;
      includes.insert(fmt::format("#if {}\n#include <{}>\n#endif\n", hardware.available, hardware.header));
      asks = asks || !hardware.features.empty();
    }
  std::string text;
  for (const std::string &include : includes)
    text += include;
  if (!includes.empty())
    text += wishes_for_instructions;
  return text + std::string(asks ? question_to_the_cpu : "");
}

struct Source {
  std::string text;
  bool needs_math_library;
};

Source make_source(const CLibrary &library) {
  Prelude prelude;
  std::string functions;
  for (const CKernel &kernel : library.kernels)
    functions += emit_kernel(kernel, library.codes, prelude) + "\n";
  std::string text = fmt::format("// {}: generated by atlc {}.\n#include \"{}\"\n\n", library.name, version(),
                                 library.header);
  for (std::string_view header : {"limits.h", "math.h", "stddef.h", "stdlib.h"})
    if (header == "limits.h" || header == "stddef.h" || prelude.headers().contains(std::string(header)))
      text += fmt::format("#include <{}>\n", header);
  if (prelude.headers().contains("omp.h"))
    text += "#ifdef _OPENMP\n#include <omp.h>\n#endif\n";
  text += assumptions_of_the_source;
  text += std::string(check_of_floats) + "\n";
  text += hardware_headers(library);
  text += prelude.text() + functions + emit_strerror(library);
  return {text, prelude.needs_math_library()};
}

} // namespace

std::string emit_source(const std::string &library, const std::vector<LoopKernel> &kernels) {
  return make_source(describe_library(library, kernels)).text;
}

bool wants_openmp(const std::vector<LoopKernel> &kernels) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const LoopKernel &kernel) { return has_parallel_loop(kernel.body); });
}

Library emit_library(const std::string &name, const std::vector<LoopKernel> &kernels,
                     const Packaging &packaging) {
  CLibrary library = describe_library(name, kernels);
  Source source = make_source(library);
  Linked with{source.needs_math_library, packaging.openmp};
  Library made{name,
               {library.header, emit_header(library)},
               {name + ".c", std::move(source.text)},
               {name + ".json", emit_manifest(library)},
               {"meson.build", emit_meson(library, with)},
               {{name + ".pc", emit_pkg_config(library, with, packaging.version)},
                {name + "Config.cmake", emit_cmake_config(library, with)}}};
  if (!packaging.version.empty())
    made.build_files.push_back({name + "ConfigVersion.cmake", emit_cmake_version(packaging.version)});
  return made;
}

std::map<std::string, std::string> Library::sources() const {
  std::map<std::string, std::string> all;
  for (const File &file : {header, source, manifest, meson})
    all[file.name] = file.text;
  return all;
}

std::map<std::string, std::string> Library::files() const {
  std::map<std::string, std::string> all = sources();
  for (const File &file : build_files)
    all[file.name] = file.text;
  return all;
}

} // namespace atl::cbackend
