// A built library as its users meet it: with cc alone, from C++, through pkg-config, CMake and Meson, after
// the folder has moved; and every error code, with the outputs untouched.
#include "cbackend/cbackend_kernels.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"
#include "cbackend/library/emit_c.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sstream>

namespace atl::cbackend_package_test {

using namespace atl::testing;
namespace fs = std::filesystem;

namespace {

// Two heap buffers; no machine has the first for the largest N.
lowering::LoopKernel hungry() {
  Index N = variable("N"), i = variable("i");
  auto pass = [&](const std::string &to, std::vector<Index> indices, const ExprPtr &value) {
    return loop("i", constant(0), N, {store(to, std::move(indices), value)});
  };
  lowering::Block passes = {pass("t", {i, i}, typed(Elem::u8, FromIndex{Elem::u8, i})),
                            pass("u", {i}, read(Elem::u8, "t", {i, i})),
                            pass("out", {constant(0)}, read(Elem::u8, "u", {i}))};
  using enum lowering::Alloc::Storage;
  lowering::LoopKernel k = kernel(
      "hungry", {temporary("t", Elem::u8, {N, N}, heap, {temporary("u", Elem::u8, {N}, heap, passes)})});
  add_size(k, "N");
  add_output(k, "out", Elem::u8, {constant(1)});
  return k;
}

// In parallel, each iteration through a buffer of its thread; for the largest N, two are more than 2^63
// bytes.
lowering::LoopKernel diagonals() {
  Index N = variable("N"), i = variable("i"), k0 = variable("k"), last = sub(N, constant(1));
  lowering::Block body = {
      // a loop, or compilers do without the memory
      loop("k", constant(0), N, {store("t", {k0, i}, typed(Elem::u16, FromIndex{Elem::u16, i}))}),
      store("out", {i}, read(Elem::u16, "t", {last, i}))};
  lowering::For all{"i",
                    constant(0),
                    constant(2),
                    {temporary("t", Elem::u16, {N, N}, lowering::Alloc::Storage::heap, body)},
                    LoopMode::parallel};
  lowering::LoopKernel k = kernel("diagonals", {{all}});
  add_size(k, "N");
  add_where(k, compare(PredOp::ge, N, constant(2)));
  add_output(k, "out", Elem::u16, {constant(2)});
  return k;
}

lowering::LoopKernel roots() {
  Index N = variable("N"), i = variable("i");
  lowering::LoopKernel k = kernel(
      "roots", {loop("i", constant(0), N, {store("out", {i}, op("sqrt", {read(Elem::f32, "a", {i})}))})});
  add_size(k, "N");
  add_input(k, "a", Elem::f32, {N});
  add_output(k, "out", Elem::f32, {N});
  return k;
}

constexpr const char *errors_program = R"(
#include "images.h"
#include <string.h>
#define CHECK(condition) do { if (!(condition)) return __LINE__ - 5; } while (0)
int main(void) {
  float img[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[1] = {42};
  unsigned char one[1] = {7};
  uint16_t two[2] = {7, 7};
  CHECK(blur(-1, 1, img, out) == IMAGES_SIZE_OUT_OF_RANGE);
  CHECK(blur(INT64_MAX, 1, img, out) == IMAGES_SIZE_OUT_OF_RANGE);
  CHECK(blur(2147483648, 1, img, out) == IMAGES_SIZE_OUT_OF_RANGE);
  CHECK(blur(0, 1, img, out) == IMAGES_WHERE_VIOLATED);
  CHECK(blur(1, 0, img, out) == IMAGES_WHERE_VIOLATED);
  CHECK(blur(2147483647, 2147483647, img, out) == IMAGES_TOO_LARGE);
  CHECK(blur(1, 1, NULL, out) == IMAGES_NULL_POINTER);
  CHECK(blur(1, 1, img, NULL) == IMAGES_NULL_POINTER);
  CHECK(blur(1, 1, img, img) == IMAGES_OVERLAP);
  CHECK(blur(1, 1, img, img + 8) == IMAGES_OVERLAP);
  CHECK(hungry(2147483647, one) == IMAGES_OUT_OF_MEMORY);
  const int from_diagonals = diagonals(2147483647, two);
#ifdef _OPENMP
  CHECK(from_diagonals == IMAGES_TOO_LARGE);
#else
  CHECK(from_diagonals == IMAGES_OUT_OF_MEMORY);
#endif
  CHECK(out[0] == 42 && one[0] == 7 && two[1] == 7 && img[8] == 9);
  CHECK(diagonals(3, two) == IMAGES_OK && two[0] == 0 && two[1] == 1);
  CHECK(blur(1, 1, img, out) == IMAGES_OK && out[0] == 5);
  CHECK(roots(0, NULL, NULL) == IMAGES_OK);
  CHECK(roots(1, img + 3, out) == IMAGES_OK && out[0] == 2);
  CHECK(strcmp(images_strerror(IMAGES_OVERLAP), "an output overlaps another tensor") == 0);
  CHECK(strcmp(images_strerror(-1), "unknown error") == 0);
  return 0;
}
)";

constexpr const char *small_program = R"(
#include "images.h"
int main(void) {
  float a[1] = {4}, out[1] = {0};
  uint16_t two[2] = {7, 7};
  if (diagonals(3, two) != IMAGES_OK || two[0] != 0 || two[1] != 1)
    return 2;
  return roots(1, a, out) == IMAGES_OK && out[0] == 2 ? 0 : 1;
}
)";

struct Package {
  cbackend::TempFolder folder;
  fs::path library;

  fs::path write(const std::string &name, const std::string &text) const {
    auto written = cbackend::write_text(folder.path() / name, text);
    REQUIRE(written);
    return *written;
  }
  std::string in(const std::string &name) const { return (folder.path() / name).string(); }
};

// Built in one place and moved to another.
Package make_package(bool openmp = false) {
  auto folder = cbackend::TempFolder::create(fs::temp_directory_path());
  REQUIRE(folder);
  fs::path built = folder->path() / "built", moved = folder->path() / "moved";
  fs::create_directory(built);
  for (const auto &[file, text] :
       cbackend::emit_library("images", {blur(), roots(), hungry(), diagonals()}, {.openmp = openmp}).files())
    REQUIRE(cbackend::write_text(built / file, text));
  auto problem = cbackend::build_binaries(built, "images", "", openmp);
  REQUIRE_MESSAGE(!problem, problem->message);
  fs::rename(built, moved);
  return {*folder, moved};
}

void run(const std::vector<std::string> &argv) {
  auto outcome = cbackend::run_program(argv);
  REQUIRE_MESSAGE(outcome, outcome.errors()[0].message);
  REQUIRE_MESSAGE(outcome->status == 0,
                  fmt::format("{} gave {}\n{}", argv[0], outcome->status, outcome->output));
}

bool installed(const std::string &tool) {
  auto outcome = cbackend::run_program({tool, "--version"});
  if (!outcome)
    MESSAGE(tool << " is not installed: skipped");
  return bool(outcome);
}

} // namespace

TEST_CASE("cbackend: every error code, and the outputs untouched") {
  Package package = make_package();
  fs::path main = package.write("main.c", errors_program), source = package.library / "images.c";
  std::string include = "-I" + package.library.string();
  for (std::string compiler : {"gcc", "clang", "tcc"}) {
    CAPTURE(compiler);
    if (!installed(compiler == "tcc" ? "tcc" : compiler))
      continue;
    run({compiler, "-O2", include, main, source, "-o", package.in("program"), "-lm"});
    run({package.in("program")});
    if (!cbackend::has_openmp({compiler}))
      continue;
    run({compiler, "-O2", "-fopenmp", include, main, source, "-o", package.in("program"), "-lm"});
    run({"env", "OMP_NUM_THREADS=2", package.in("program")});
  }
}

TEST_CASE("cbackend: the archive, the shared library and C++") {
  Package package = make_package();
  fs::path main = package.write("main.c", small_program), cpp = package.write("main.cpp", small_program);
  std::string include = "-I" + package.library.string();
  run({"cc", include, main, package.library / "libimages.a", "-o", package.in("static"), "-lm"});
  run({package.in("static")});
  run({"cc", include, main, package.library / "libimages.so", "-o", package.in("shared"),
       "-Wl,-rpath," + package.library.string()});
  run({package.in("shared")});
  run({"c++", "-Wall", "-Wextra", "-pedantic", "-Werror", include, cpp, package.library / "libimages.a", "-o",
       package.in("cpp"), "-lm"});
  run({package.in("cpp")});
}

TEST_CASE("cbackend: pkg-config") {
  if (!installed("pkg-config"))
    return;
  Package package = make_package(cbackend::has_openmp(cbackend::c_compiler()));
  fs::path main = package.write("main.c", small_program);
  setenv("PKG_CONFIG_PATH", package.library.c_str(), 1);
  auto flags = cbackend::run_program({"pkg-config", "--cflags", "--libs", "images"});
  unsetenv("PKG_CONFIG_PATH");
  REQUIRE(flags);
  CAPTURE(flags->output);
  REQUIRE(flags->status == 0);
  std::vector<std::string> argv{"cc", main, "-o", package.in("program"),
                                "-Wl,-rpath," + package.library.string()};
  std::istringstream words(flags->output);
  for (std::string word; words >> word;)
    argv.push_back(word);
  run(argv);
  run({package.in("program")});
}

TEST_CASE("cbackend: CMake") {
  if (!installed("cmake"))
    return;
  Package package = make_package(cbackend::has_openmp(cbackend::c_compiler()));
  package.write("main.c", small_program);
  package.write(
      "CMakeLists.txt",
      "cmake_minimum_required(VERSION 3.16)\nproject(user C)\nfind_package(images CONFIG REQUIRED)\n"
      "foreach(kind images images_shared)\n  add_executable(with_${kind} main.c)\n"
      "  target_link_libraries(with_${kind} images::${kind})\nendforeach()\n");
  run({"cmake", "-S", package.folder.path(), "-B", package.in("cmake"),
       "-DCMAKE_PREFIX_PATH=" + package.library.string()});
  run({"cmake", "--build", package.in("cmake")});
  run({package.in("cmake/with_images")});
  run({package.in("cmake/with_images_shared")});
}

TEST_CASE("cbackend: Meson") {
  if (!installed("meson"))
    return;
  Package package = make_package(cbackend::has_openmp(cbackend::c_compiler()));
  package.write("main.c", small_program);
  package.write(
      "meson.build",
      "project('user', 'c')\nsubdir('moved')\nexecutable('program', 'main.c', dependencies: images_dep)\n");
  run({"meson", "setup", package.in("build"), package.folder.path()});
  run({"meson", "compile", "-C", package.in("build")});
  run({package.in("build/program")});
}

} // namespace atl::cbackend_package_test
