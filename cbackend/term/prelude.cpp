#include "cbackend/term/prelude.h"

#include "atl/base/check.h"

#include <array>
#include <fmt/format.h>

namespace atl::cbackend {

namespace {

struct IndexFunction {
  std::string_view name, definition;
};

// int64_t arithmetic on sizes and indices. Divisors are positive. The checked_ functions serve the tests at
// entry: they set *ok to false where the result does not exist in 64 bits.
constexpr std::array index_functions{
    IndexFunction{"floor_div", R"(static inline int64_t atl_floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}
)"},
    IndexFunction{"floor_mod", R"(static inline int64_t atl_floor_mod(int64_t a, int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}
)"},
    IndexFunction{"cdiv", R"(static inline int64_t atl_cdiv(int64_t a, int64_t b) {
  return a / b + (a % b > 0);
}
)"},
    IndexFunction{"min", R"(static inline int64_t atl_min(int64_t a, int64_t b) {
  return a < b ? a : b;
}
)"},
    IndexFunction{"max", R"(static inline int64_t atl_max(int64_t a, int64_t b) {
  return a > b ? a : b;
}
)"},
    IndexFunction{"bytes", R"(// Bytes of a tensor, 0 if it is empty, -1 if it is too large.
static inline int64_t atl_bytes(size_t element, int rank, const int64_t *extents) {
  int64_t bytes = (int64_t)element;
  bool fits = true;
  for (int d = 0; d < rank; ++d) {
    if (extents[d] <= 0)
      return 0;
    fits = fits && bytes <= INT64_MAX / extents[d];
    bytes = fits ? bytes * extents[d] : bytes;
  }
  return fits ? bytes : -1;
}
)"},
    IndexFunction{"bytes_of", R"(// Bytes of that many elements, -1 if they are too many.
static inline int64_t atl_bytes_of(size_t element, int64_t count) {
  return count <= INT64_MAX / (int64_t)element ? count * (int64_t)element : -1;
}
)"},
    IndexFunction{
        "overlap",
        R"(static inline bool atl_overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes) {
  const uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
  return p < q ? q - p < (uint64_t)a_bytes && b_bytes > 0 : p - q < (uint64_t)b_bytes && a_bytes > 0;
}
)"},
    // Where a cache line begins, for speed. Some compilers have aligned_alloc only if they are asked for C11.
    IndexFunction{"alloc", R"(static inline void *atl_alloc(int64_t bytes) {
#if __STDC_VERSION__ >= 201112L
  return bytes > 0 ? aligned_alloc(64, ((size_t)bytes + 63) / 64 * 64) : NULL;
#else
  return bytes > 0 ? malloc((size_t)bytes) : NULL;
#endif
}
)"},
    IndexFunction{"when", R"(static inline int64_t atl_when(bool condition, int64_t bytes) {
  return condition ? bytes : 0;
}
)"},
    // Parts are cache lines apart. atl_part needs the threads that atl_for_threads was given.
    IndexFunction{"threads", R"(static inline int atl_threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}
)"},
    IndexFunction{"for_threads", R"(// Bytes of a part for each thread, -1 if they are too many.
static inline int64_t atl_for_threads(int64_t bytes, int threads) {
  if (bytes < 0 || bytes > INT64_MAX - 63)
    return -1;
  bytes = (bytes + 63) / 64 * 64;
  return bytes <= INT64_MAX / threads ? bytes * threads : -1;
}
)"},
    IndexFunction{"part", R"(static inline void *atl_part(void *parts, int64_t bytes, int threads) {
#ifdef _OPENMP
  return bytes > 0 ? (unsigned char *)parts + bytes / threads * omp_get_thread_num() : parts;
#else
  (void)bytes, (void)threads;
  return parts;
#endif
}
)"},
    // The iterations of the loop below have been proved independent. Clang would warn of every loop that it
    // then does not vectorize; it finds most without being told. Gcc would unroll a short loop before it
    // looks for vectors.
    IndexFunction{"vectorize", R"c(#if defined(__clang__)
#define atl_vectorize
#elif defined(_OPENMP)
#define atl_vectorize _Pragma("omp simd")
#elif defined(__GNUC__) && __GNUC__ >= 8
#define atl_vectorize _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define atl_vectorize
#endif
)c"},
    // A function for some sizes only: inlined, it would share registers with those for others.
    IndexFunction{"apart", R"(#if defined(__GNUC__)
#define atl_apart __attribute__((noinline))
#else
#define atl_apart
#endif
)"},
    // Where products are added in some cells and subtracted in others, as in products of complex numbers, gcc
    // 12 makes instructions that round product and sum together (vfmaddsub, fcmla), although it is told not
    // to.
    IndexFunction{"rounded", R"(#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define atl_rounded(product) __builtin_assoc_barrier(product)
#else
#define atl_rounded(product) (product)
#endif
)"},
    IndexFunction{"checked_add", R"(static inline int64_t atl_checked_add(int64_t a, int64_t b, bool *ok) {
  if (b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b)
    return a + b;
  *ok = false;
  return 0;
}
)"},
    IndexFunction{"checked_sub", R"(static inline int64_t atl_checked_sub(int64_t a, int64_t b, bool *ok) {
  if (b >= 0 ? a >= INT64_MIN + b : a <= INT64_MAX + b)
    return a - b;
  *ok = false;
  return 0;
}
)"},
    IndexFunction{"checked_mul", R"(static inline int64_t atl_checked_mul(int64_t a, int64_t b, bool *ok) {
  const int64_t limit = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  if (a == 0 || b == 0)
    return 0;
  if (a != INT64_MIN && b != INT64_MIN) {
    const uint64_t p = (uint64_t)(a < 0 ? -a : a), q = (uint64_t)(b < 0 ? -b : b);
    if (p <= (limit == INT64_MAX ? (uint64_t)INT64_MAX : (uint64_t)INT64_MAX + 1) / q)
      return limit == INT64_MAX ? (int64_t)(p * q) : -(int64_t)(p * q - 1) - 1;
  } else if (a == 1 || b == 1) {
    return INT64_MIN;
  }
  *ok = false;
  return 0;
}
)"},
    IndexFunction{"checked_floor_div",
                  R"(static inline int64_t atl_checked_floor_div(int64_t a, int64_t b, bool *ok) {
  if (b > 0)
    return a / b - (a % b < 0);
  *ok = false;
  return 0;
}
)"},
    IndexFunction{"checked_floor_mod",
                  R"(static inline int64_t atl_checked_floor_mod(int64_t a, int64_t b, bool *ok) {
  if (b > 0)
    return a % b + (a % b < 0 ? b : 0);
  *ok = false;
  return 0;
}
)"},
    IndexFunction{"checked_cdiv", R"(static inline int64_t atl_checked_cdiv(int64_t a, int64_t b, bool *ok) {
  if (b > 0)
    return a / b + (a % b > 0);
  *ok = false;
  return 0;
}
)"},
};

// Scalar functions. {T}: the C type, {n}: its name in programs, {U}: the unsigned type to compute in,
// {f}: the suffix of the math function (expf for float).
struct ScalarFunction {
  std::string_view name;
  int arity;
  enum class Types { integers, signed_integers, unsigned_integers, floats } types;
  std::string_view body;
  bool math; // calls the math library
};
using Types = ScalarFunction::Types;

constexpr std::array scalar_functions{
    ScalarFunction{"add", 2, Types::integers, "  return ({T})(({U})a + ({U})b);\n", false},
    ScalarFunction{"sub", 2, Types::integers, "  return ({T})(({U})a - ({U})b);\n", false},
    ScalarFunction{"mul", 2, Types::integers, "  return ({T})(({U})a * ({U})b);\n", false},
    ScalarFunction{"neg", 1, Types::integers, "  return ({T})(({U})0 - ({U})a);\n", false},
    ScalarFunction{"div", 2, Types::unsigned_integers, "  return ({T})(b == 0 ? 0 : a / b);\n", false},
    ScalarFunction{"div", 2, Types::signed_integers,
                   "  if (b == 0)\n    return 0;\n  if (b == -1)\n    return ({T})(({U})0 - ({U})a);\n"
                   "  return ({T})(a / b - (a % b != 0 && (a < 0) != (b < 0)));\n",
                   false},
    ScalarFunction{"mod", 2, Types::unsigned_integers, "  return ({T})(b == 0 ? 0 : a % b);\n", false},
    ScalarFunction{"mod", 2, Types::signed_integers,
                   "  if (b == 0 || b == -1)\n    return 0;\n"
                   "  return ({T})(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));\n",
                   false},
    ScalarFunction{"min", 2, Types::integers, "  return a < b ? a : b;\n", false},
    ScalarFunction{"max", 2, Types::integers, "  return a > b ? a : b;\n", false},
    // NaN if one is NaN; of two zeros, -0 is the smaller: -(-a - b) and a + b say so without a test of
    // the sign.
    ScalarFunction{"min", 2, Types::floats,
                   "  return a < b ? a : b < a ? b : a == b && a != 0 ? a : -(-a - b);\n", false},
    ScalarFunction{"max", 2, Types::floats,
                   "  return a > b ? a : b > a ? b : a == b && a != 0 ? a : a + b;\n", false},
    ScalarFunction{"abs", 1, Types::unsigned_integers, "  return a;\n", false},
    ScalarFunction{"abs", 1, Types::signed_integers, "  return ({T})(a < 0 ? ({U})0 - ({U})a : ({U})a);\n",
                   false},
    ScalarFunction{"abs", 1, Types::floats, "  return fabs{f}(a);\n", true},
    ScalarFunction{"sqrt", 1, Types::floats, "  return sqrt{f}(a);\n", true},
    ScalarFunction{"fma", 3, Types::floats, "  return fma{f}(a, b, c);\n", true},
    ScalarFunction{"floor", 1, Types::floats, "  return floor{f}(a);\n", true},
    ScalarFunction{"ceil", 1, Types::floats, "  return ceil{f}(a);\n", true},
    ScalarFunction{"scalb", 2, Types::floats,
                   "  if (b - b != 0)\n    return b > 0 ? a * b : b < 0 ? a / -b : a + b;\n"
                   "  return ldexp{f}(a, b < -5000 ? -5000 : b > 5000 ? 5000 : (int)floor{f}(b));\n",
                   true},
    ScalarFunction{"rint", 1, Types::floats, "  return rint{f}(a);\n", true},
    // Compilers compute these for constant arguments, and may round them otherwise than the library: the
    // call through a volatile pointer gives the library's result always.
    ScalarFunction{"exp", 1, Types::floats,
                   "  {T} (*const volatile function)({T}) = exp{f};\n  return function(a);\n", true},
    ScalarFunction{"log", 1, Types::floats,
                   "  {T} (*const volatile function)({T}) = log{f};\n  return function(a);\n", true},
    ScalarFunction{"tanh", 1, Types::floats,
                   "  {T} (*const volatile function)({T}) = tanh{f};\n  return function(a);\n", true},
    ScalarFunction{"erf", 1, Types::floats,
                   "  {T} (*const volatile function)({T}) = erf{f};\n  return function(a);\n", true},
};

struct Comparison {
  std::string_view name, symbol;
};
// For operands that would make a compiler warn of a comparison with a known result.
constexpr std::array comparisons{Comparison{"eq", "=="}, Comparison{"ne", "!="}, Comparison{"lt", "<"},
                                 Comparison{"le", "<="}, Comparison{"gt", ">"},  Comparison{"ge", ">="}};

bool serves(Types types, Elem elem) {
  switch (types) {
  case Types::floats: return is_float(elem);
  case Types::integers: return is_integer(elem);
  case Types::signed_integers: return is_integer(elem) && info(elem).is_signed;
  case Types::unsigned_integers: return is_integer(elem) && !info(elem).is_signed;
  }
  ATL_CHECK(false, "a set of types without a meaning");
}

std::string with(std::string text, std::string_view placeholder, std::string_view value) {
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size()))
    text.replace(at, placeholder.size(), value);
  return text;
}

std::string definition(std::string_view result, const std::string &name, Elem elem, int arity,
                       std::string_view body) {
  std::string_view type = info(elem).c_type;
  std::string text = fmt::format("static inline {} {}({} a", result, name, type);
  for (int operand = 1; operand < arity; ++operand)
    text += fmt::format(", {} {}", type, "abc"[operand]);
  text += ") {\n";
  text += std::string(body) + "}\n";
  text = with(text, "{T}", type);
  text = with(text, "{U}", elem == Elem::i64 ? "uint64_t" : "uint32_t");
  return with(text, "{f}", elem == Elem::f32 ? "f" : "");
}

} // namespace

std::string Prelude::index_function(std::string_view name) {
  std::string full = fmt::format("atl_{}", name);
  for (const IndexFunction &f : index_functions)
    if (f.name == name) {
      functions_.emplace(full, f.definition);
      if (name == "alloc")
        use_header("stdlib.h");
      if (name == "threads" || name == "part")
        use_header("omp.h");
      return full;
    }
  ATL_CHECK(false, "no such function in the prelude: " + full);
}

std::string Prelude::scalar_function(std::string_view name, Elem elem) {
  std::string full = fmt::format("atl_{}_{}", name, atl::name(elem));
  for (const ScalarFunction &f : scalar_functions)
    if (f.name == name && serves(f.types, elem)) {
      functions_.emplace(full, definition(info(elem).c_type, full, elem, f.arity, f.body));
      needs_math_library_ = needs_math_library_ || f.math;
      if (f.math)
        use_header("math.h");
      return full;
    }
  for (const Comparison &c : comparisons)
    if (c.name == name) {
      functions_.emplace(full,
                         definition("bool", full, elem, 2, fmt::format("  return a {} b;\n", c.symbol)));
      return full;
    }
  ATL_CHECK(false, "no such function in the prelude: " + full);
}

// The least value is exact in both float types, and so is the greatest plus one.
std::string Prelude::from_float(Elem to, Elem from) {
  std::string full = fmt::format("atl_{}_from_{}", atl::name(to), atl::name(from));
  std::string least = c_literal({to, 0, least_integer(to)}, *this);
  std::string greatest = c_literal({to, 0, greatest_integer(to)}, *this);
  std::string limit = fmt::format("{}.0{}", 1 + static_cast<std::uint64_t>(greatest_integer(to)),
                                  from == Elem::f32 ? "f" : "");
  std::string lower = info(to).is_signed ? "-" + limit : from == Elem::f32 ? "0.0f" : "0.0";
  functions_.emplace(full,
                     fmt::format("static inline {0} {1}({2} a) {{\n"
                                 "  return a != a ? 0 : a <= {3} ? {4} : a >= {5} ? {6} : ({0})a;\n}}\n",
                                 info(to).c_type, full, info(from).c_type, lower, least, limit, greatest));
  return full;
}

std::string Prelude::saturate(Elem to) {
  std::string full = fmt::format("atl_sat_{}", atl::name(to));
  std::string least = c_literal({to, 0, least_integer(to)}, *this);
  std::string greatest = c_literal({to, 0, greatest_integer(to)}, *this);
  functions_.emplace(full, fmt::format("static inline {0} {1}(int64_t a) {{\n"
                                       "  return a < {2} ? {2} : a > {3} ? {3} : ({0})a;\n}}\n",
                                       info(to).c_type, full, least, greatest));
  return full;
}

std::string Prelude::text() const {
  std::string text;
  for (const auto &[name, function] : functions_)
    text += function + "\n";
  return text;
}

} // namespace atl::cbackend
