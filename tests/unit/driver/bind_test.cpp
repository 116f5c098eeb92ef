// Arguments of `atlc run`: values, files, inferred sizes, and every way in which they can be wrong.
#include "driver/io/bind.h"
#include "driver/io/infer_sizes.h"
#include "driver/io/npy.h"
#include "driver/io/png_io.h"
#include "driver/io/tensor_file.h"
#include "tests/unit/typed_trees.h"

#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace atl::bind_test {

using namespace atl::driver;
using namespace atl::trees;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("atlc_bind_test_" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }

  // The argument "NAME=file" for a tensor of zeros.
  std::string zeros(const std::string &name, std::vector<std::int64_t> shape, Elem elem = Elem::f32) const {
    fs::path file = path / (name + ".npy");
    REQUIRE_FALSE(write_npy(file, make_tensor(elem, std::move(shape))));
    return name + "=" + file.string();
  }
};

TypedKernel with_assumptions(TypedKernel k, const std::vector<Pred> &where = {}) {
  k.name = "k";
  for (const Pred &p : where) {
    k.where.push_back({p, {}});
    k.assumptions.push_back(p);
  }
  for (const std::string &size : k.size_names()) {
    k.assumptions.push_back(compare(PredOp::ge, v(size), n(0)));
    k.assumptions.push_back(compare(PredOp::le, v(size), n(default_size_limit)));
  }
  return k;
}

TypedKernel blur() {
  return with_assumptions(kernel({size_param("N"), size_param("M"),
                                  tensor_param("img", Elem::f32, {add(v("N"), n(2)), add(v("M"), n(2))})},
                                 gen("y", v("N"), gen("x", v("M"), real(0)))),
                          {compare(PredOp::ge, v("N"), n(1)), compare(PredOp::ge, v("M"), n(1))});
}

TypedKernel matmul() {
  return with_assumptions(
      kernel({size_param("M"), size_param("N"), size_param("K"),
              tensor_param("A", Elem::f32, {v("M"), v("K")}), tensor_param("B", Elem::f32, {v("K"), v("N")})},
             gen("i", v("M"), gen("j", v("N"), real(0)))));
}

TypedKernel scalar(Elem elem) {
  return with_assumptions(kernel({tensor_param("s", elem, {})}, real(0)));
}

Inputs bound(const TypedKernel &k, const std::vector<std::string> &arguments) {
  Result<Inputs> inputs = bind_inputs(k, arguments);
  if (!inputs)
    FAIL(inputs.errors().at(0).message);
  return *inputs;
}

Diagnostic refused(const TypedKernel &k, const std::vector<std::string> &arguments) {
  Result<Inputs> inputs = bind_inputs(k, arguments);
  REQUIRE_FALSE(inputs);
  return inputs.errors().at(0);
}
void refused(const TypedKernel &k, const std::vector<std::string> &arguments, Code code,
             const std::string &message) {
  Diagnostic diagnostic = refused(k, arguments);
  CHECK(diagnostic.code == code);
  CHECK(diagnostic.message == message);
}

// Sizes of a kernel with the sizes N and M from tensors of the given declared and actual extents.
Result<Valuation> inferred(const std::vector<std::pair<Index, std::int64_t>> &extents,
                           const Valuation &given = {}) {
  TypedKernel k = with_assumptions(kernel({size_param("N"), size_param("M")}, real(0)));
  std::vector<Measured> measured;
  for (const auto &[declared, actual] : extents)
    measured.push_back({"T" + std::to_string(measured.size()), 0, 1, declared, actual});
  return infer_sizes(k, given, measured);
}
Valuation solved(const std::vector<std::pair<Index, std::int64_t>> &extents, const Valuation &given = {}) {
  Result<Valuation> sizes = inferred(extents, given);
  if (!sizes)
    FAIL(sizes.errors().at(0).message);
  return *sizes;
}
std::string contradiction(const std::vector<std::pair<Index, std::int64_t>> &extents,
                          const Valuation &given = {}) {
  Result<Valuation> sizes = inferred(extents, given);
  REQUIRE_FALSE(sizes);
  CHECK(sizes.errors().at(0).code == Code::size_conflict);
  return sizes.errors()[0].message;
}

} // namespace

TEST_CASE("sizes from shapes, given sizes, files") {
  TemporaryFolder folder;
  Inputs inputs = bound(blur(), {folder.zeros("img", {5, 9})});
  CHECK(inputs.sizes == Valuation{{"M", 7}, {"N", 3}});
  CHECK(inputs.tensors.at("img").shape == std::vector<std::int64_t>{5, 9});
  CHECK(bound(blur(), {"M=7", folder.zeros("img", {5, 9}), "N=3"}).sizes == Valuation{{"M", 7}, {"N", 3}});
  Inputs product = bound(matmul(), {folder.zeros("A", {2, 3}), folder.zeros("B", {3, 4})});
  CHECK(product.sizes == Valuation{{"K", 3}, {"M", 2}, {"N", 4}});
}

TEST_CASE("contradicting sizes are explained") {
  TemporaryFolder folder;
  std::string img = folder.zeros("img", {5, 7});
  refused(blur(), {img, "M=6"}, Code::size_conflict, "img has 7 columns, so M = 5, but M = 6 was given");
  refused(matmul(), {folder.zeros("A", {2, 3}), folder.zeros("B", {1, 4})}, Code::size_conflict,
          "B has 1 row, so K = 1, but A has 3 columns, so K = 3");
  Diagnostic where = refused(blur(), {folder.zeros("img", {2, 7})});
  CHECK(where.code == Code::size_conflict);
  CHECK(where.message == "the kernel k needs N >= 1, but img has 2 rows, so N = 0");
  CHECK(where.notes.size() == 1);
  refused(blur(), {folder.zeros("img", {1, 7})}, Code::size_conflict,
          "img has 1 row, but N + 2 is that for no N");
  TypedKernel size_only = with_assumptions(kernel({size_param("N")}, real(0)));
  refused(size_only, {"N=2147483648"}, Code::size_conflict,
          "N <= 2147483647 does not hold: N = 2147483648 was given");
}

TEST_CASE("inference: linear extents, in any order") {
  Index N = v("N"), M = v("M");
  CHECK(solved({{mul(n(2), N), 6}, {add(M, n(1)), 4}}) == Valuation{{"M", 3}, {"N", 3}});
  CHECK(solved({{add(N, M), 9}, {M, 4}}) == Valuation{{"M", 4}, {"N", 5}});
  CHECK(solved({{mul(N, M), 12}}, {{"M", 4}}) == Valuation{{"M", 4}, {"N", 3}});
  CHECK(solved({{sub(n(10), N), 4}, {sub(mul(n(3), M), add(M, n(1))), 5}}) == Valuation{{"M", 3}, {"N", 6}});
  CHECK(solved({{mul(N, ceil_div(M, n(4))), 6}, {M, 9}}) == Valuation{{"M", 9}, {"N", 2}});
  CHECK(solved({{ceil_div(N, n(4)), 3}, {N, 11}, {M, 0}}) == Valuation{{"M", 0}, {"N", 11}});
}

TEST_CASE("inference: what cannot be") {
  Index N = v("N"), M = v("M");
  CHECK(contradiction({{mul(n(2), N), 7}, {M, 1}}) == "T0 has 7 elements, but 2 * N is that for no N");
  CHECK(contradiction({{add(N, M), 3}, {M, 4}}) ==
        "T0 has 3 elements, but N + M is that for no N (T1 has 4 elements, so M = 4)");
  CHECK(contradiction({{N, 5}, {add(N, M), 9}, {mul(N, M), 21}}) ==
        "T2 has 21 elements, but N * M = 20 (T1 has 9 elements, so M = 4; T0 has 5 elements, so N = 5)");
  CHECK(contradiction({{ceil_div(N, n(4)), 3}, {N, 13}, {M, 0}}) ==
        "T0 has 3 elements, but cdiv(N, 4) = 4 (T1 has 13 elements, so N = 13)");
  CHECK(contradiction({{n(3), 5}}, {{"N", 0}, {"M", 0}}) == "T0 has 5 elements, but 3 are declared");
  CHECK(contradiction({{mul(n(0), N), 5}, {N, 1}, {M, 1}}) == "T0 has 5 elements, but 0 are declared");
  Result<Valuation> open = inferred({{add(N, M), 9}});
  REQUIRE_FALSE(open);
  CHECK(open.errors().size() == 2);
  CHECK(open.errors()[0].code == Code::bad_argument);
  CHECK(open.errors()[0].message ==
        "the size N is not given and does not follow from the inputs: add N=NUMBER");
  Index huge = mul(n(INT64_MAX), N);
  CHECK_FALSE(inferred({{add(huge, n(INT64_MAX)), 3}, {M, 1}}));
  CHECK_FALSE(inferred({{add(huge, huge), 3}, {M, 1}}));
}

TEST_CASE("arguments that are wrong") {
  TemporaryFolder folder;
  auto wrong = [&](const std::vector<std::string> &arguments, const std::string &message) {
    refused(blur(), arguments, Code::bad_argument, message);
  };
  std::string img = folder.zeros("img", {5, 7});
  wrong({}, "the parameter img: f32[N + 2, M + 2] is not given: add img=FILE.npy or FILE.png");
  wrong({img, "img"}, "'img' is not of the form NAME=value or NAME=file");
  wrong({img, "=3"}, "'=3' is not of the form NAME=value or NAME=file");
  wrong({img, "Q=3"},
        "the kernel k has no parameter 'Q'; it has the parameters N: size, M: size, img: f32[N + 2, M + 2]");
  wrong({img, "N=3", "N=3"}, "N is given twice");
  wrong({img, "N=-3"}, "N=-3: a size is not negative");
  wrong({img, "N=3.5"}, "N=3.5: a size is a number such as N=100");
  wrong({img, "N="}, "N=: a size is a number such as N=100");
  wrong({img, "N=three"}, "N=three: a size is a number such as N=100");
  wrong({img, "N=99999999999999999999999"}, "N=99999999999999999999999: the number is too large");
  wrong({"img=3"}, "3: tensors are kept in files that end in .npy or .png");
  wrong({"img="}, ": tensors are kept in files that end in .npy or .png");
  CHECK(bind_inputs(blur(), {"Q=1", "N=x"}).errors().size() == 3);
  CHECK(refused(blur(), {"img=" + (folder.path / "none.npy").string()}).code == Code::cannot_read);
  CHECK(refused(blur(), {folder.zeros("img", {5, 7}, Elem::f64)}).code == Code::bad_npy);
  Diagnostic rank = refused(blur(), {folder.zeros("img", {5})});
  CHECK(rank.code == Code::bad_npy);
  CHECK(rank.message == (folder.path / "img.npy").string() + " has 1 dimension, but img has 2 dimensions");
}

TEST_CASE("scalars") {
  auto value = [](Elem elem, const std::string &text) {
    return bound(scalar(elem), {"s=" + text}).tensors.at("s").get(0);
  };
  CHECK(value(Elem::f32, "0.1").real == static_cast<double>(0.1f));
  CHECK(value(Elem::f64, "-1e-3").real == -1e-3);
  CHECK(value(Elem::f64, "+2").real == 2);
  CHECK(std::isinf(value(Elem::f32, "-inf").real));
  CHECK(std::isnan(value(Elem::f32, "nan").real));
  CHECK(value(Elem::i8, "-128").integer == -128);
  CHECK(value(Elem::u32, "4294967295").integer == 4294967295);
  CHECK(value(Elem::i64, "-9223372036854775808").integer == INT64_MIN);
  CHECK(value(Elem::boolean, "true").integer == 1);
  auto wrong = [](Elem elem, const std::string &text, const std::string &why) {
    refused(scalar(elem), {"s=" + text}, Code::bad_argument, "s=" + text + ": " + why);
  };
  wrong(Elem::i8, "128", "the number does not fit i8");
  wrong(Elem::u8, "-1", "the number does not fit u8");
  wrong(Elem::i64, "9223372036854775808", "the number does not fit i64");
  wrong(Elem::f32, "1e39", "the number does not fit f32");
  wrong(Elem::f64, "1.5x", "not a number of type f64");
  wrong(Elem::i32, "1.0", "not a number of type i32");
  wrong(Elem::boolean, "1", "a bool is true or false");
  refused(scalar(Elem::f32), {}, Code::bad_argument, "the parameter s: f32 is not given: add s=VALUE");
  TemporaryFolder folder;
  CHECK(bound(scalar(Elem::f32), {folder.zeros("s", {})}).tensors.at("s").shape.empty());
  CHECK(refused(scalar(Elem::f32), {folder.zeros("s", {1})}).code == Code::bad_npy);
}

TEST_CASE("pictures as inputs and outputs") {
  TemporaryFolder folder;
  fs::path file = folder.path / "Picture.PNG";
  CHECK_FALSE(write_tensor(file, tensor_of<int>(Elem::u8, {3, 4}, std::vector<int>(12, 200))));
  Inputs inputs = bound(blur(), {"img=" + file.string()});
  CHECK(inputs.sizes == Valuation{{"M", 2}, {"N", 1}});
  CHECK(inputs.tensors.at("img").get(11).real == 200);
  TypedKernel row =
      with_assumptions(kernel({size_param("N"), tensor_param("img", Elem::f32, {v("N")})}, real(0)));
  CHECK(refused(row, {"img=" + file.string()}).code == Code::bad_png);
  std::ofstream(folder.path / "text.png") << "no picture";
  CHECK(refused(blur(), {"img=" + (folder.path / "text.png").string()}).code == Code::bad_png);
  CHECK(write_tensor(folder.path / "out.jpg", make_tensor(Elem::u8, {1, 1}))->code == Code::bad_argument);
  CHECK(write_tensor(folder.path / "out.png", make_tensor(Elem::u8, {1}))->code == Code::bad_png);
  CHECK_FALSE(fs::exists(folder.path / "out.png"));
}

TEST_CASE("outputs that no memory holds") {
  auto outer = [](const Index &extent) {
    return with_assumptions(
        kernel({size_param("N")}, gen("i", extent, gen("j", v("N"), gen("k", v("N"), real(0))))));
  };
  CHECK(refused(outer(v("N")), {"N=2147483647"}).code == Code::out_of_memory);
  CHECK(refused(outer(v("N")), {"N=2000000"}).code == Code::out_of_memory);
  CHECK(refused(outer(n(1)), {"N=2147483647"}).message ==
        "the output out of shape [1, 2147483647, 2147483647] does not fit into memory");
  CHECK(bound(outer(n(0)), {"N=2147483647"}).sizes.at("N") == 2147483647);
  CHECK(bound(outer(v("N")), {"N=0"}).sizes.at("N") == 0);
}

} // namespace atl::bind_test
