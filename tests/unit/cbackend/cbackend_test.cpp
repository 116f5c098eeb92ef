// The C of hand-built loop nests: its text, its checks at entry, and what it computes under three compilers.
#include "cbackend/cbackend_kernels.h"
#include "cbackend/host/native.h"
#include "cbackend/library/emit_c.h"
#include "cbackend/term/c_index.h"
#include "tests/support/sanitized_library.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <limits>

namespace atl::cbackend_test {

using namespace atl::testing;
using lowering::Alloc;
using lowering::LoopKernel;

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::string source_of(const LoopKernel &k) {
  return cbackend::emit_source("lib", {k});
}

Tensor ramp(std::vector<std::int64_t> shape) {
  Tensor t = make_tensor(Elem::f32, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.set(i, make_real(Elem::f32, static_cast<double>((i * 37 + 11) % 101) / 7));
  return t;
}

float at(const Tensor &t, std::int64_t i) {
  return static_cast<float>(t.get(i).real);
}

Tensor expected_matmul(const Tensor &A, const Tensor &B) {
  std::int64_t M = A.shape[0], K = A.shape[1], N = B.shape[1];
  Tensor out = make_tensor(Elem::f32, {M, N});
  for (std::int64_t i = 0; i < M; ++i)
    for (std::int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < K; ++k)
        sum += at(A, i * K + k) * at(B, k * N + j);
      out.set(i * N + j, make_real(Elem::f32, sum));
    }
  return out;
}

Tensor expected_blur(const Tensor &img) {
  std::int64_t N = img.shape[0] - 2, M = img.shape[1] - 2;
  Tensor rows = make_tensor(Elem::f32, {N + 2, M}), out = make_tensor(Elem::f32, {N, M});
  for (std::int64_t y = 0; y < N + 2; ++y)
    for (std::int64_t x = 0; x < M; ++x) {
      std::int64_t p = y * (M + 2) + x;
      rows.set(y * M + x, make_real(Elem::f32, (at(img, p) + at(img, p + 1) + at(img, p + 2)) / 3.0f));
    }
  for (std::int64_t p = 0; p < N * M; ++p)
    out.set(p, make_real(Elem::f32, (at(rows, p) + at(rows, p + M) + at(rows, p + 2 * M)) / 3.0f));
  return out;
}

// out[i + 5] = (i - 3) / 4 * 10 + (i - 3) % 4 for -5 <= i < N: floor semantics for negative dividends.
LoopKernel floor_division() {
  Index N = variable("N"), i = variable("i"), moved = sub(i, constant(3));
  Index value = add(mul(floor_div(moved, constant(4)), constant(10)), modulo(moved, constant(4)));
  LoopKernel k = kernel(
      "floors", {loop("i", constant(-5), N,
                      {store("out", {add(i, constant(5))}, typed(Elem::i64, FromIndex{Elem::i64, value}))})});
  add_size(k, "N");
  add_output(k, "out", Elem::i64, {add(N, constant(5))});
  return k;
}

LoopKernel with_where(const Pred &where) {
  LoopKernel k = kernel("guarded", {});
  for (const char *size : {"N", "M", "K"})
    add_size(k, size);
  add_where(k, where);
  add_output(k, "out", Elem::u8, {constant(1)});
  return k;
}

int status_of(const cbackend::NativeLibrary &library, const std::string &name, const Valuation &sizes,
              const Tensors &inputs = {}) {
  auto result = library.call(name, sizes, inputs);
  return result ? 0 : static_cast<int>(result.errors()[0].code);
}

} // namespace

TEST_CASE("cbackend: the source reads like the program") {
  std::string c = source_of(blur());
  CHECK(contains(c, "int blur(int64_t N, int64_t M, const float *restrict img, float *restrict out) {"));
  CHECK(contains(c, "  for (int64_t y = 0; y < N + 2; ++y) {\n    for (int64_t x = 0; x < M; ++x) {\n"));
  CHECK(contains(
      c, "rows[y*M + x] = (img[y*(M + 2) + x] + img[y*(M + 2) + x + 1] + img[y*(M + 2) + x + 2]) / 3.0f;"));
  CHECK(contains(c, "out[y*M + x] = (rows[y*M + x] + rows[(y + 1)*M + x] + rows[(y + 2)*M + x]) / 3.0f;"));
  CHECK(contains(source_of(matmul()), "float acc = 0.0f;"));
  CHECK(contains(source_of(matmul()), "acc += A[i*K + k] * B[k*N + j];"));
}

TEST_CASE("cbackend: the same kernels give the same bytes") {
  CHECK(cbackend::emit_library("lib", {blur(), matmul()}).files() ==
        cbackend::emit_library("lib", {blur(), matmul()}).files());
}

TEST_CASE("cbackend: index expressions keep their meaning") {
  cbackend::Prelude prelude;
  cbackend::IndexScope scope;
  for (const char *name : {"i", "j", "N"}) {
    scope.variables[name] = name;
    scope.sizes[name] = {0, 1000000};
    scope.known.assume(compare(PredOp::ge, variable(name), constant(0)));
  }
  Index i = variable("i"), j = variable("j"), N = variable("N");
  auto c = [&](const Index &e) { return cbackend::c_index(e, scope, prelude).text; };
  auto raw = [](IndexOp op, Index a, Index b) { return binary(op, std::move(a), std::move(b)); };
  CHECK(c(raw(IndexOp::mul, constant(5), modulo(i, constant(2)))) == "5*(i%2)");
  CHECK(c(raw(IndexOp::mul, add(i, j), N)) == "(i + j)*N");
  CHECK(c(raw(IndexOp::sub, i, add(j, N))) == "i - (j + N)");
  CHECK(c(raw(IndexOp::sub, i, raw(IndexOp::sub, j, N))) == "i - (j - N)");
  CHECK(c(raw(IndexOp::add, i, constant(-3))) == "i - 3");
  CHECK(c(raw(IndexOp::add, i, raw(IndexOp::sub, j, N))) == "i + j - N");
  CHECK(cbackend::c_evaluated(raw(IndexOp::add, i, raw(IndexOp::sub, j, N)), scope, prelude).text ==
        "i + (j - N)");
  CHECK(c(raw(IndexOp::add, i, raw(IndexOp::mul, constant(-2), j))) == "i - 2*j");
  CHECK(c(raw(IndexOp::div, raw(IndexOp::mul, i, j), constant(4))) == "(i*j)/4");
  CHECK(c(raw(IndexOp::mul, raw(IndexOp::div, i, constant(4)), constant(4))) == "(i/4)*4");
  CHECK(c(raw(IndexOp::div, raw(IndexOp::div, i, constant(4)), constant(2))) == "(i/4)/2");
  CHECK(c(raw(IndexOp::mod, sub(i, constant(3)), constant(4))) == "atl_floor_mod(i - 3, 4)");
  CHECK(c(raw(IndexOp::mul, constant(65536), constant(65536))) == "4294967296");
  // In code that never runs; a compiler would warn of 0 % 0.
  CHECK(c(raw(IndexOp::mod, constant(0), raw(IndexOp::sub, constant(2), constant(2)))) ==
        "atl_floor_mod(0, 0)");
  // C would compute 2147483647 + 1 in int.
  CHECK(c(raw(IndexOp::add, constant(2147483647), raw(IndexOp::sub, constant(1), variable("N")))) ==
        "2147483647 + (1 - N)");
  CHECK(c(constant(std::numeric_limits<std::int64_t>::min())) == "INT64_MIN");
  CHECK(c(raw(IndexOp::min, ceil_div(N, constant(4)), i)) == "atl_min(atl_cdiv(N, 4), i)");
}

TEST_CASE("cbackend: predicates") {
  cbackend::Prelude prelude;
  cbackend::IndexScope scope;
  scope.variables = {{"i", "i"}, {"N", "N"}};
  Pred inside = in_range(constant(0), variable("i"), variable("N")),
       even = compare(PredOp::eq, variable("N"), constant(2));
  auto c = [&](const Pred &p) { return cbackend::c_pred(p, scope, prelude).text; };
  CHECK(c(conj(inside, even)) == "0 <= i && i < N && N == 2");
  CHECK(c(disj(even, inside)) == "N == 2 || (0 <= i && i < N)");
  CHECK(c(conj(even, disj(even, inside))) == "N == 2 && (N == 2 || (0 <= i && i < N))");
  // A guard is a fact for what stands behind it.
  CHECK(c(conj(compare(PredOp::ge, variable("i"), constant(3)),
               compare(PredOp::eq, modulo(sub(variable("i"), constant(3)), constant(4)), constant(0)))) ==
        "i >= 3 && (i - 3)%4 == 0");
}

TEST_CASE("cbackend: names that C or C++ has taken") {
  Index n = variable("int");
  LoopKernel k = kernel(
      "double", {loop("class", constant(0), n,
                      {store("LIB_OK", {variable("class")}, read(Elem::f32, "free", {variable("class")}))})});
  add_size(k, "int");
  add_input(k, "free", Elem::f32, {n});
  add_output(k, "LIB_OK", Elem::f32, {n});
  std::string c = source_of(k);
  CHECK(contains(c, "int double_(int64_t int_, const float *restrict free_, float *restrict LIB_OK_2) {"));
  CHECK(contains(c, "for (int64_t class_ = 0; class_ < int_; ++class_) {"));
  LoopKernel log = kernel("log", {});
  CHECK(contains(source_of(log), "int log_(void) {"));
}

TEST_CASE("cbackend: names with points") {
  Index n = variable("N.y");
  auto copy = [&](const char *name) {
    LoopKernel k =
        kernel(name, {loop("y.o", constant(0), n,
                           {store("out", {variable("y.o")}, read(Elem::f32, "y_o", {variable("y.o")}))})});
    add_size(k, "N.y");
    add_input(k, "y_o", Elem::f32, {n});
    add_output(k, "out", Elem::f32, {n});
    return k;
  };
  std::vector<LoopKernel> kernels{copy("a.b"), copy("a_b")};
  CHECK(contains(cbackend::emit_source("lib", kernels),
                 "int a_b(int64_t N_y, const float *restrict y_o, float *restrict out) {"));
  CHECK(contains(cbackend::emit_source("lib", kernels), "out[y_o_2] = y_o[y_o_2];"));
  auto library = cbackend::NativeLibrary::compile(kernels);
  REQUIRE(library);
  Tensor x = make_tensor(Elem::f32, {3});
  for (const char *name : {"a.b", "a_b"}) {
    auto results = library->call(name, {{"N.y", 3}}, {{"y_o", x}});
    REQUIRE(results);
    CHECK(results->at("out").bytes == x.bytes);
  }
}

TEST_CASE("cbackend: the text that is handed over is what runs") {
  LoopKernel k = kernel("five", {store("out", {}, literal(5.0))});
  add_output(k, "out", Elem::f32, {});
  cbackend::Library printed = cbackend::emit_library(cbackend::native_library, {k});
  std::string &source = printed.source.text;
  std::size_t place = source.find("5.0f");
  REQUIRE(place != std::string::npos);
  source[place] = '7';
  auto library = cbackend::NativeLibrary::compile_library({k}, printed);
  REQUIRE(library);
  auto result = library->call("five", {}, {});
  REQUIRE(result);
  CHECK(at(result->at("out"), 0) == 7.0F);
}

TEST_CASE("cbackend: a library named like a header of the system") {
  auto files = cbackend::emit_library("math", {matmul()}).files();
  CHECK(!files.contains("math.h"));
  CHECK(files.contains("math_kernels.h"));
  CHECK(contains(files.at("math.c"), "#include \"math_kernels.h\""));
  CHECK(contains(files.at("math.json"), "\"header\": \"math_kernels.h\""));
}

TEST_CASE("cbackend: temporaries of one name in different places") {
  Index i = variable("i");
  auto piece = [&](Alloc::Storage storage, int value) {
    bool is_scalar = storage == Alloc::Storage::scalar;
    Shape dims = is_scalar ? Shape{} : Shape{constant(4)};
    std::vector<Index> first = is_scalar ? std::vector<Index>{} : std::vector<Index>{constant(0)};
    return temporary(
        "t", Elem::f32, dims, storage,
        {store("t", first, literal(value)), store("out", {constant(value)}, read(Elem::f32, "t", first))});
  };
  using enum Alloc::Storage;
  LoopKernel k =
      kernel("names", {piece(scalar, 0), piece(heap, 1), piece(heap, 2), piece(stack, 3),
                       loop("t", constant(4), constant(5), {store("out", {variable("t")}, literal(4.0))})});
  add_output(k, "out", Elem::f32, {constant(5)});
  auto library = cbackend::NativeLibrary::compile({k}, {{}, {"-Wall", "-Wextra", "-Wshadow", "-Werror"}});
  REQUIRE_MESSAGE(library, library.errors()[0].notes.at(0).text);
  auto result = library->call("names", {}, {});
  REQUIRE(result);
  for (int n = 0; n < 5; ++n)
    CHECK(at(result->at("out"), n) == static_cast<float>(n));
}

TEST_CASE("cbackend: three compilers compute what is expected, without a warning") {
  const std::vector<std::string> strict{"-Wall",    "-Wextra",   "-Wconversion",
                                        "-Wshadow", "-pedantic", "-Werror"};
  for (std::string compiler : {"gcc", "clang", "tcc"}) {
    CAPTURE(compiler);
    auto library =
        cbackend::NativeLibrary::compile({blur(), matmul(), floor_division()}, {{compiler}, strict});
    if (!library && library.errors()[0].code == Code::missing_tool)
      continue;
    REQUIRE_MESSAGE(library, library.errors()[0].notes.at(0).text);
    for (std::int64_t n : {1, 2, 7, 16})
      for (std::int64_t m : {1, 5, 33}) {
        Tensors image{{"img", ramp({n + 2, m + 2})}};
        auto blurred = library->call("blur", {{"N", n}, {"M", m}}, image);
        REQUIRE(blurred);
        CHECK(same_bits(blurred->at("out"), expected_blur(image.at("img"))));
        Tensors factors{{"A", ramp({n, m})}, {"B", ramp({m, 4})}};
        auto product = library->call("matmul", {{"M", n}, {"K", m}, {"N", 4}}, factors);
        REQUIRE(product);
        CHECK(same_bits(product->at("out"), expected_matmul(factors.at("A"), factors.at("B"))));
      }
    auto floors = library->call("floors", {{"N", 6}}, {});
    REQUIRE(floors);
    const std::vector<int> expected{-20, -19, -18, -17, -10, -9, -8, -7, 0, 1, 2};
    for (std::size_t n = 0; n < expected.size(); ++n)
      CHECK(floors->at("out").get(static_cast<std::int64_t>(n)).integer == expected[n]);
  }
}

TEST_CASE("cbackend: no undefined behaviour, no access outside a buffer") {
  for (std::string compiler : {"gcc", "clang"}) {
    CAPTURE(compiler);
    auto library = SanitizedLibrary::compile({blur(), matmul(), floor_division()}, {compiler});
    if (!library && library.errors()[0].code == Code::missing_tool)
      continue;
    REQUIRE_MESSAGE(library, library.errors()[0].message);
    Tensors image{{"img", ramp({6, 9})}};
    auto blurred = library->call("blur", {{"N", 4}, {"M", 7}}, image);
    REQUIRE_MESSAGE(blurred, blurred.errors()[0].message);
    CHECK(same_bits(blurred->at("out"), expected_blur(image.at("img"))));
    auto empty =
        library->call("matmul", {{"M", 0}, {"K", 3}, {"N", 4}}, {{"A", ramp({0, 3})}, {"B", ramp({3, 4})}});
    CHECK(empty);
    CHECK(library->call("floors", {{"N", 6}}, {}));
  }
}

TEST_CASE("cbackend: the sanitized library notices a wrong kernel") {
  LoopKernel k = kernel("wrong", {store("out", {variable("N")}, literal(1.0))});
  add_size(k, "N");
  add_output(k, "out", Elem::f32, {variable("N")});
  auto library = SanitizedLibrary::compile({k});
  REQUIRE_MESSAGE(library, library.errors()[0].message);
  auto result = library->call("wrong", {{"N", 4}}, {});
  REQUIRE(!result);
  CHECK(contains(result.errors()[0].notes.at(0).text, "heap-buffer-overflow"));
}

TEST_CASE("cbackend: what is wrong with the sizes is found before anything is touched") {
  auto library = cbackend::NativeLibrary::compile({blur(), matmul()});
  REQUIRE(library);
  Tensors image{{"img", ramp({3, 3})}};
  CHECK(status_of(*library, "blur", {{"N", 1}, {"M", 1}}, image) == 0);
  CHECK(status_of(*library, "blur", {{"N", 1}}, image) == 8006);
  CHECK(status_of(*library, "blur", {{"N", 2}, {"M", 1}}, image) == 8006);
  CHECK(status_of(*library, "blur", {{"N", 1}, {"M", 1}}) == 8006);
  Tensors no_rows{{"img", ramp({2, 3})}};
  CHECK(status_of(*library, "blur", {{"N", 0}, {"M", 1}}, no_rows) == 8006);
}

TEST_CASE("cbackend: where clauses whose terms may overflow") {
  Index N = variable("N"), M = variable("M"), K = variable("K");
  LoopKernel cube = with_where(compare(PredOp::le, mul(mul(N, M), K), constant(1000)));
  LoopKernel ratio = with_where(compare(PredOp::eq, floor_div(N, M), K));
  ratio.name = "ratio";
  auto library = cbackend::NativeLibrary::compile({cube, ratio}, {{}, {"-Wall", "-Wextra", "-Werror"}});
  REQUIRE_MESSAGE(library, library.errors()[0].notes.at(0).text);
  CHECK(status_of(*library, "guarded", {{"N", 10}, {"M", 10}, {"K", 10}}) == 0);
  CHECK(status_of(*library, "guarded", {{"N", 10}, {"M", 10}, {"K", 11}}) == 8006);
  CHECK(status_of(*library, "guarded", {{"N", 2147483647}, {"M", 2147483647}, {"K", 2147483647}}) == 8006);
  CHECK(status_of(*library, "guarded", {{"N", 2147483647}, {"M", 2147483647}, {"K", 0}}) == 0);
  CHECK(status_of(*library, "ratio", {{"N", 7}, {"M", 2}, {"K", 3}}) == 0);
  CHECK(status_of(*library, "ratio", {{"N", 7}, {"M", 0}, {"K", 3}}) == 8006);
  CHECK(status_of(*library, "ratio", {{"N", -1}, {"M", 1}, {"K", 3}}) == 8006);
}

TEST_CASE("cbackend: extents that overflow or are negative") {
  Index N = variable("N"), M = variable("M"), K = variable("K");
  LoopKernel cube = with_where(truth(true));
  cube.outputs[0].dims = {mul(mul(N, M), K)};
  LoopKernel difference = with_where(truth(true));
  difference.name = "difference";
  difference.outputs[0].dims = {sub(N, M), K};
  auto library = cbackend::NativeLibrary::compile({cube, difference}, {{}, {"-Wall", "-Wextra", "-Werror"}});
  REQUIRE_MESSAGE(library, library.errors()[0].notes.at(0).text);
  const std::int64_t most = 2147483647;
  CHECK(status_of(*library, "guarded", {{"N", most}, {"M", most}, {"K", most}}) == 8009);
  CHECK(status_of(*library, "guarded", {{"N", most}, {"M", most}, {"K", 0}}) == 0);
  CHECK(status_of(*library, "difference", {{"N", 3}, {"M", 1}, {"K", 2}}) == 0);
  CHECK(status_of(*library, "difference", {{"N", 0}, {"M", most}, {"K", most}}) == 0);
}

TEST_CASE("cbackend: a compiler that is missing or fails") {
  auto missing = cbackend::NativeLibrary::compile({blur()}, {{"no-such-compiler"}, {}});
  REQUIRE(!missing);
  CHECK(missing.errors()[0].code == Code::missing_tool);
  auto failing = cbackend::NativeLibrary::compile({blur()}, {{}, {"--no-such-flag"}});
  REQUIRE(!failing);
  CHECK(failing.errors()[0].code == Code::tool_failed);
  CHECK(contains(failing.errors()[0].notes.at(0).text, "no-such-flag"));
}

TEST_CASE("cbackend: depfiles quote the names of files") {
  CHECK(cbackend::emit_depfile({"out/a.c", "out/a.h"}, {"my prog.atl", "x\nall: ; rm y", "b#$.atl"}) ==
        "out/a.c out/a.h: \\\n  my\\ prog.atl \\\n  b\\#$$.atl\n");
}

} // namespace atl::cbackend_test
