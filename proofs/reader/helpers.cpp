#include "proofs/reader/helpers.h"

#include "atl/scalar/scalar.h"

#include <array>
#include <fmt/format.h>

namespace atl::proofs::reader {

namespace {

struct Known {
  std::string_view name, text;
};

// Of 64-bit integers.
constexpr std::array index_helpers{
    Known{"atl_floor_div", "static inline int64_t atl_floor_div(int64_t a, int64_t b) {"
                           " return a / b - (a % b < 0); }"},
    Known{"atl_floor_mod", "static inline int64_t atl_floor_mod(int64_t a, int64_t b) {"
                           " return a % b + (a % b < 0 ? b : 0); }"},
    Known{"atl_cdiv", "static inline int64_t atl_cdiv(int64_t a, int64_t b) {"
                      " return a / b + (a % b > 0); }"},
    Known{"atl_min", "static inline int64_t atl_min(int64_t a, int64_t b) { return a < b ? a : b; }"},
    Known{"atl_max", "static inline int64_t atl_max(int64_t a, int64_t b) { return a > b ? a : b; }"},
    Known{"atl_bytes", "static inline int64_t atl_bytes(size_t element, int rank, const int64_t *extents) {"
                       " int64_t bytes = (int64_t)element;"
                       " bool fits = true;"
                       " for (int d = 0; d < rank; ++d) {"
                       " if (extents[d] <= 0) return 0;"
                       " fits = fits && bytes <= INT64_MAX / extents[d];"
                       " bytes = fits ? bytes * extents[d] : bytes;"
                       " }"
                       " return fits ? bytes : -1; }"},
    Known{"atl_bytes_of", "static inline int64_t atl_bytes_of(size_t element, int64_t count) {"
                          " return count <= INT64_MAX / (int64_t)element ? count * (int64_t)element : -1; }"},
    Known{"atl_overlap",
          "static inline bool atl_overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes) {"
          " const uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;"
          " return p < q ? q - p < (uint64_t)a_bytes && b_bytes > 0 : p - q < (uint64_t)b_bytes && a_bytes > "
          "0; }"},
    Known{"atl_alloc", "static inline void *atl_alloc(int64_t bytes) {\n"
                       "#if __STDC_VERSION__ >= 201112L\n"
                       " return bytes > 0 ? aligned_alloc(64, ((size_t)bytes + 63) / 64 * 64) : NULL;\n"
                       "#else\n"
                       " return bytes > 0 ? malloc((size_t)bytes) : NULL;\n"
                       "#endif\n }"},
    Known{"atl_when", "static inline int64_t atl_when(bool condition, int64_t bytes) {"
                      " return condition ? bytes : 0; }"},
    Known{"atl_threads", "static inline int atl_threads(void) {\n"
                         "#ifdef _OPENMP\n"
                         " return omp_get_max_threads();\n"
                         "#else\n"
                         " return 1;\n"
                         "#endif\n }"},
    Known{"atl_for_threads", "static inline int64_t atl_for_threads(int64_t bytes, int threads) {"
                             " if (bytes < 0 || bytes > INT64_MAX - 63) return -1;"
                             " bytes = (bytes + 63) / 64 * 64;"
                             " return bytes <= INT64_MAX / threads ? bytes * threads : -1; }"},
    Known{"atl_part",
          "static inline void *atl_part(void *parts, int64_t bytes, int threads) {\n"
          "#ifdef _OPENMP\n"
          " return bytes > 0 ? (unsigned char *)parts + bytes / threads * omp_get_thread_num() : parts;\n"
          "#else\n"
          " (void)bytes, (void)threads; return parts;\n"
          "#endif\n }"},
    Known{"atl_vectorize", "#if defined(__clang__)\n"
                           "#define atl_vectorize\n"
                           "#elif defined(_OPENMP)\n"
                           "#define atl_vectorize _Pragma(\"omp simd\")\n"
                           "#elif defined(__GNUC__) && __GNUC__ >= 8\n"
                           "#define atl_vectorize _Pragma(\"GCC ivdep\") _Pragma(\"GCC unroll 1\")\n"
                           "#else\n"
                           "#define atl_vectorize\n"
                           "#endif\n"},
    Known{"atl_apart", "#if defined(__GNUC__)\n"
                       "#define atl_apart __attribute__((noinline))\n"
                       "#else\n"
                       "#define atl_apart\n"
                       "#endif\n"},
    Known{"atl_rounded", "#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12\n"
                         "#define atl_rounded(product) __builtin_assoc_barrier(product)\n"
                         "#else\n"
                         "#define atl_rounded(product) (product)\n"
                         "#endif\n"},
    Known{"atl_checked_add", "static inline int64_t atl_checked_add(int64_t a, int64_t b, bool *ok) {"
                             " if (b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b) return a + b;"
                             " *ok = false; return 0; }"},
    Known{"atl_checked_sub", "static inline int64_t atl_checked_sub(int64_t a, int64_t b, bool *ok) {"
                             " if (b >= 0 ? a >= INT64_MIN + b : a <= INT64_MAX + b) return a - b;"
                             " *ok = false; return 0; }"},
    Known{"atl_checked_mul",
          "static inline int64_t atl_checked_mul(int64_t a, int64_t b, bool *ok) {"
          " const int64_t limit = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;"
          " if (a == 0 || b == 0) return 0;"
          " if (a != INT64_MIN && b != INT64_MIN) {"
          " const uint64_t p = (uint64_t)(a < 0 ? -a : a), q = (uint64_t)(b < 0 ? -b : b);"
          " if (p <= (limit == INT64_MAX ? (uint64_t)INT64_MAX : (uint64_t)INT64_MAX + 1) / q)"
          " return limit == INT64_MAX ? (int64_t)(p * q) : -(int64_t)(p * q - 1) - 1;"
          " } else if (a == 1 || b == 1) { return INT64_MIN; }"
          " *ok = false; return 0; }"},
    Known{"atl_checked_floor_div",
          "static inline int64_t atl_checked_floor_div(int64_t a, int64_t b, bool *ok) {"
          " if (b > 0) return a / b - (a % b < 0);"
          " *ok = false; return 0; }"},
    Known{"atl_checked_floor_mod",
          "static inline int64_t atl_checked_floor_mod(int64_t a, int64_t b, bool *ok) {"
          " if (b > 0) return a % b + (a % b < 0 ? b : 0);"
          " *ok = false; return 0; }"},
    Known{"atl_checked_cdiv", "static inline int64_t atl_checked_cdiv(int64_t a, int64_t b, bool *ok) {"
                              " if (b > 0) return a / b + (a % b > 0);"
                              " *ok = false; return 0; }"},
};

// Of scalars: the body, by the type it serves. T: the type; U: the unsigned type of at least 32 bits.
enum class Serves { floats, signed_integers, unsigned_integers, all };
struct ScalarHelper {
  std::string_view name;
  int arity;
  Serves serves;
  std::string_view body;
};
constexpr std::array scalar_helpers{
    ScalarHelper{"add", 2, Serves::signed_integers, "return (T)((U)a + (U)b);"},
    ScalarHelper{"add", 2, Serves::unsigned_integers, "return (T)((U)a + (U)b);"},
    ScalarHelper{"sub", 2, Serves::signed_integers, "return (T)((U)a - (U)b);"},
    ScalarHelper{"sub", 2, Serves::unsigned_integers, "return (T)((U)a - (U)b);"},
    ScalarHelper{"mul", 2, Serves::signed_integers, "return (T)((U)a * (U)b);"},
    ScalarHelper{"mul", 2, Serves::unsigned_integers, "return (T)((U)a * (U)b);"},
    ScalarHelper{"neg", 1, Serves::signed_integers, "return (T)((U)0 - (U)a);"},
    ScalarHelper{"neg", 1, Serves::unsigned_integers, "return (T)((U)0 - (U)a);"},
    ScalarHelper{"div", 2, Serves::unsigned_integers, "return (T)(b == 0 ? 0 : a / b);"},
    ScalarHelper{"div", 2, Serves::signed_integers,
                 "if (b == 0) return 0; if (b == -1) return (T)((U)0 - (U)a);"
                 " return (T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));"},
    ScalarHelper{"mod", 2, Serves::unsigned_integers, "return (T)(b == 0 ? 0 : a % b);"},
    ScalarHelper{"mod", 2, Serves::signed_integers,
                 "if (b == 0 || b == -1) return 0;"
                 " return (T)(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));"},
    ScalarHelper{"min", 2, Serves::floats,
                 "return a < b ? a : b < a ? b : a == b && a != 0 ? a : -(-a - b);"},
    ScalarHelper{"max", 2, Serves::floats, "return a > b ? a : b > a ? b : a == b && a != 0 ? a : a + b;"},
    ScalarHelper{"min", 2, Serves::all, "return a < b ? a : b;"},
    ScalarHelper{"max", 2, Serves::all, "return a > b ? a : b;"},
    ScalarHelper{"abs", 1, Serves::floats, "return fabsF(a);"},
    ScalarHelper{"abs", 1, Serves::unsigned_integers, "return a;"},
    ScalarHelper{"abs", 1, Serves::signed_integers, "return (T)(a < 0 ? (U)0 - (U)a : (U)a);"},
    ScalarHelper{"sqrt", 1, Serves::floats, "return sqrtF(a);"},
    ScalarHelper{"floor", 1, Serves::floats, "return floorF(a);"},
    ScalarHelper{"ceil", 1, Serves::floats, "return ceilF(a);"},
    ScalarHelper{"fma", 3, Serves::floats, "return fmaF(a, b, c);"},
    ScalarHelper{"scalb", 2, Serves::floats,
                 "if (b - b != 0) return b > 0 ? a * b : b < 0 ? a / -b : a + b;"
                 " return ldexpF(a, b < -5000 ? -5000 : b > 5000 ? 5000 : (int)floorF(b));"},
    ScalarHelper{"rint", 1, Serves::floats, "return rintF(a);"},
    ScalarHelper{"exp", 1, Serves::floats, "T (*const volatile function)(T) = expF; return function(a);"},
    ScalarHelper{"log", 1, Serves::floats, "T (*const volatile function)(T) = logF; return function(a);"},
    ScalarHelper{"tanh", 1, Serves::floats, "T (*const volatile function)(T) = tanhF; return function(a);"},
    ScalarHelper{"erf", 1, Serves::floats, "T (*const volatile function)(T) = erfF; return function(a);"},
};

constexpr std::array comparisons{Known{"eq", "=="}, Known{"ne", "!="}, Known{"lt", "<"},
                                 Known{"le", "<="}, Known{"gt", ">"},  Known{"ge", ">="}};

bool serves(Serves which, Elem elem) {
  switch (which) {
  case Serves::floats: return is_float(elem);
  case Serves::signed_integers: return is_integer(elem) && info(elem).is_signed;
  case Serves::unsigned_integers: return is_integer(elem) && !info(elem).is_signed;
  case Serves::all: return elem != Elem::boolean;
  }
  return false;
}

// The body with T, U and F put in.
std::string for_type(std::string_view body, Elem elem) {
  std::string text;
  for (char c : body)
    if (c == 'T')
      text += info(elem).c_type;
    else if (c == 'U')
      text += elem == Elem::i64 ? "uint64_t" : "uint32_t";
    else if (c == 'F')
      text += elem == Elem::f32 ? "f" : "";
    else
      text += c;
  return text;
}

std::string function(std::string_view result, const std::string &name, Elem elem, int arity,
                     const std::string &body) {
  std::string_view type = info(elem).c_type;
  std::string others = arity > 1 ? fmt::format(", {} b", type) : "";
  if (arity > 2)
    others += fmt::format(", {} c", type);
  return fmt::format("static inline {} {}({} a{}) {{ {} }}", result, name, type, others, body);
}

std::string integer_text(Elem elem, std::int64_t value) {
  if (elem == Elem::u32)
    return fmt::format("{}u", value);
  if (elem == Elem::i32 && value == least_integer(elem))
    return "INT32_MIN";
  if (elem == Elem::i64 && value == least_integer(elem))
    return "INT64_MIN";
  return elem == Elem::boolean ? value != 0 ? "true" : "false" : std::to_string(value);
}

// Towards zero; what is too large or too small becomes the greatest or the least, and NaN becomes 0.
std::optional<std::string> from_float(const std::string &name, Elem to, Elem from) {
  if (is_float(to) || !is_float(from) || to == Elem::boolean)
    return std::nullopt;
  const char *suffix = from == Elem::f32 ? "f" : "";
  std::string above = fmt::format("{}.0{}", static_cast<std::uint64_t>(greatest_integer(to)) + 1, suffix);
  std::string below = info(to).is_signed ? "-" + above : fmt::format("0.0{}", suffix);
  return fmt::format("static inline {0} {1}({2} a) {{"
                     " return a != a ? 0 : a <= {3} ? {4} : a >= {5} ? {6} : ({0})a; }}",
                     info(to).c_type, name, info(from).c_type, below, integer_text(to, least_integer(to)),
                     above, integer_text(to, greatest_integer(to)));
}

std::string saturating(const std::string &name, Elem to) {
  return fmt::format("static inline {0} {1}(int64_t a) {{ return a < {2} ? {2} : a > {3} ? {3} : ({0})a; }}",
                     info(to).c_type, name, integer_text(to, least_integer(to)),
                     integer_text(to, greatest_integer(to)));
}

// atl_NAME_TYPE
std::optional<std::string> scalar_helper(const std::string &full, std::string_view name, Elem elem) {
  if (name == "sat")
    return saturating(full, elem);
  for (const ScalarHelper &h : scalar_helpers)
    if (h.name == name && serves(h.serves, elem))
      return function(info(elem).c_type, full, elem, h.arity, for_type(h.body, elem));
  for (const Known &c : comparisons)
    if (c.name == name)
      return function("bool", full, elem, 2, fmt::format("return a {} b;", c.text));
  return std::nullopt;
}

} // namespace

std::optional<std::string> helper(const std::string &name) {
  for (const Known &known : index_helpers)
    if (known.name == name)
      return std::string(known.text);
  std::size_t last = name.rfind('_');
  if (!name.starts_with("atl_") || last < 4)
    return std::nullopt;
  auto type = elem_named(name.substr(last + 1));
  std::string word = name.substr(4, last - 4);
  if (!type)
    return std::nullopt;
  if (word.ends_with("_from"))
    if (auto to = elem_named(word.substr(0, word.size() - 5)))
      return from_float(name, *to, *type);
  return scalar_helper(name, word, *type);
}

const std::vector<ErrorText> &error_texts() {
  static const std::vector<ErrorText> texts{
      {"OK", "no error"},
      {"SIZE_OUT_OF_RANGE", "a size is negative or above its limit"},
      {"WHERE_VIOLATED", "the sizes do not satisfy a where clause of the kernel"},
      {"TOO_LARGE", "a tensor of these sizes has more bytes than a 64-bit integer counts"},
      {"NULL_POINTER", "a pointer to a tensor is null"},
      {"OVERLAP", "an output overlaps another tensor"},
      {"OUT_OF_MEMORY", "there is not enough memory for the temporaries"}};
  return texts;
}

constexpr std::string_view float_check = R"(#if defined(__clang__)
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

std::string preamble(const std::string &header, bool stdlib, bool math, bool openmp) {
  std::string text = fmt::format("#include \"{}\"\n#include <limits.h>\n", header);
  text += math ? "#include <math.h>\n" : "";
  text += "#include <stddef.h>\n";
  text += stdlib ? "#include <stdlib.h>\n" : "";
  text += openmp ? "#ifdef _OPENMP\n#include <omp.h>\n#endif\n" : "";
  return text + R"(#if defined(__clang__) && defined(__x86_64__)
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
)" + std::string(float_check);
}

std::string strerror_text(const std::string &library, const std::string &codes) {
  std::string text = fmt::format("const char *{}_strerror(int error) {{ switch (error) {{", library);
  for (const ErrorText &e : error_texts())
    text += fmt::format(" case {}_{}: return \"{}\";", codes, e.suffix, e.message);
  return text + " default: return \"unknown error\"; } }";
}

std::string error_enum(const std::string &library, const std::string &codes) {
  std::string text = fmt::format("enum {}_error {{", library);
  for (std::size_t number = 0; number < error_texts().size(); ++number)
    text += fmt::format(" {}_{} = {},", codes, error_texts()[number].suffix, number);
  return text + " };";
}

} // namespace atl::proofs::reader
