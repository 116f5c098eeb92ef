// Names in programs of several files: what each file can name, and what stands for it in the program.
#include "atl/syntax/print.h"
#include "atl/syntax/print_schedule.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

namespace atl::modules_test {

namespace {

using atl::testing::errors_of, atl::testing::Files, atl::testing::parse;

// The program of main as it is printed; its errors, if it has any.
std::string printed(const Files &files) {
  Sources sources;
  Result<Program> program = parse(files, "main", sources);
  return program ? print(*program) : errors_of(files, "main", true);
}

// What is printed is the same program.
void check_prints(const Files &files, const std::string &expected) {
  CAPTURE(files.at("main"));
  CHECK(printed(files) == expected);
  CHECK(printed({{"main", expected}}) == expected);
}

const std::string tile = "fn tile(x: f32) -> f32 = x;\n", tile_too = "fn tile(x: f32) -> f32 = -x;\n";

std::string calling(const std::string &function) {
  return "fn f(x: f32) -> f32 = " + function + "(x);\n";
}

} // namespace

TEST_CASE("a local name hides definitions, imported ones and others") {
  check_prints(
      {{"main", "import \"names\";\nconst K = 3;\n"
                "kernel k(a: size, f: f32[a]) -> f32[a] { let g = g(2.0); gen K < a { f[K] + g } }\n"},
       {"names", "const a = 1;\nfn f(x: f32) -> f32 = x;\nfn g(f: f32) -> f32 = f;\n"}},
      "const a = 1;\nconst K = 3;\n\nfn f(x: f32) -> f32 = x;\n\nfn g(f: f32) -> f32 = f;\n\n"
      "kernel k(a: size, f: f32[a]) -> f32[a] {\n  let g = g(2.0);\n  gen K < a { f[K] + g }\n}\n");
  CHECK(errors_of({{"main", "fn g(x: f32) -> f32 = x;\nfn f(g: f32) -> f32 = g(g);"}}, "main", true) ==
        "main:2:23 E1013 'g' is data, not a function or kernel; its elements are g[...]\n"
        "  main:1:4 the local name hides this definition\n");
}

TEST_CASE("names of definitions are no names of operands of instructions") {
  std::string kernels;
  for (const char *name : {"v", "x", "n", "i", "lanes"})
    kernels += std::string("fn ") + name + "(y: f32) -> f32 = y;\n";
  const Files files{{"main", "import \"toy\";\n" + kernels +
                                 "kernel k(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"},
                    {"toy",
                     "const lanes = 4;\n"
                     "hardware toy {\n  header \"t.h\"; available \"1\"; memory v 4 { f32 \"t\"; }\n"
                     "  instr load(n: size, x: f32[n]) -> f32[lanes] @ v where n <= 4 c \"({x}, {n})\"\n"
                     "  { gen i < lanes { [i < n] x[i] } }\n}\n"}};
  CHECK(errors_of(files, "main", true).empty());
}

TEST_CASE("names of an imported file: without qualifier, and with it") {
  const std::string f = "\nfn f(x: f32) -> f32 = tile(x);\n";
  check_prints({{"main", "import \"lib/blur.atl\";\n" + calling("tile")}, {"lib/blur.atl", tile}}, tile + f);
  check_prints({{"main", "import \"lib/blur.atl\";\n" + calling("blur.tile")}, {"lib/blur.atl", tile}},
               tile + f);
  check_prints({{"main", "import \"blur.atl\" as b;\n" + calling("b.tile")}, {"blur.atl", tile}}, tile + f);
  check_prints({{"main", "import \"blur.v2.atl\";\nimport \"blur.atl\" as b;\n" + calling("blur.v2.tile")},
                {"blur.v2.atl", tile},
                {"blur.atl", "const C = 1;\n"}},
               "const C = 1;\n\n" + tile + f);
}

TEST_CASE("with `as`, names have the qualifier only") {
  CHECK(errors_of({{"main", "import \"blur.atl\" as b;\n" + calling("tile")}, {"blur.atl", tile}}, "main",
                  true) ==
        "main:2:23 E1005 unknown name 'tile'\n  blur.atl:1:4 it is defined here; write 'b.tile'\n");
  CHECK(errors_of({{"main", "import \"blur.atl\" as b;\n" + calling("b.tille")}, {"blur.atl", tile}}, "main",
                  true) == "main:2:23 E1005 unknown name 'b.tille'\n");
  CHECK(errors_of({{"main", "import \"blur.atl\" as b;\n" + calling("blur.tile")}, {"blur.atl", tile}},
                  "main", true) == "main:2:23 E1005 unknown name 'blur.tile'\n"
                                   "  blur.atl:1:4 it is defined here; write 'b.tile'\n");
  CHECK(errors_of({{"main", "import \"blur.atl\" as b.c;\nconst C = 1;"}, {"blur.atl", tile}}, "main") ==
        "main:1:22 E1001 'b.c' cannot be the name of a file: it has a point\n");
}

TEST_CASE("a file's own definitions come before imported ones, which get another name in the program") {
  check_prints(
      {{"main", "import \"blur.atl\";\n" + tile_too + "fn f(x: f32) -> f32 = tile(x) + blur.tile(x);\n"},
       {"blur.atl", tile + "fn twice(x: f32) -> f32 = tile(tile(x));\n"}},
      "fn blur.tile(x: f32) -> f32 = x;\n\nfn twice(x: f32) -> f32 = blur.tile(blur.tile(x));\n\n" +
          tile_too + "\nfn f(x: f32) -> f32 = tile(x) + blur.tile(x);\n");
}

TEST_CASE("a name of two imported files is refused where it is used") {
  const Files both{{"main", "import \"a/blur.atl\";\nimport \"b/conv.atl\";\n" + calling("tile")},
                   {"a/blur.atl", tile},
                   {"b/conv.atl", tile_too}};
  CHECK(errors_of(both, "main", true) == "main:3:23 E1015 'tile' may mean 'blur.tile' or 'conv.tile'\n"
                                         "  a/blur.atl:1:4 this is 'blur.tile'\n"
                                         "  b/conv.atl:1:4 this is 'conv.tile'\n");
  Files qualified = both;
  qualified["main"] = "import \"a/blur.atl\";\nimport \"b/conv.atl\" as c;\n" + calling("blur.tile");
  check_prints(qualified, tile + "\nfn c.tile(x: f32) -> f32 = -x;\n\nfn f(x: f32) -> f32 = tile(x);\n");
  qualified["main"] = "import \"a/blur.atl\" as b;\nimport \"b/conv.atl\" as c;\n" + calling("b.tile");
  check_prints(qualified, "fn b.tile(x: f32) -> f32 = x;\n\nfn c.tile(x: f32) -> f32 = -x;\n\n"
                          "fn f(x: f32) -> f32 = b.tile(x);\n");
  Files same = both; // reached in two ways, it is one
  same["b/conv.atl"] = "export import \"../a/blur.atl\";\nconst C = 1;\n";
  CHECK(errors_of(same, "main").empty());
}

TEST_CASE("two files with one name need `as`") {
  Files files{{"main", "import \"a/x\";\nimport \"b/x\";\n" + calling("x.f")},
              {"a/x", "fn f(x: f32) -> f32 = x;"},
              {"b/x", "fn g(x: f32) -> f32 = x;"}};
  CHECK(errors_of(files, "main", true) == "main:2:8 E1006 two imported files are called 'x' here\n"
                                          "  main:1:8 this is the other one\n"
                                          "  give one another name: import \"b/x\" as NAME;\n");
  files["main"] = "import \"a/x\";\nimport \"b/x\" as y;\nfn h(x: f32) -> f32 = x.f(y.g(x));\n";
  CHECK(errors_of(files, "main", true).empty());
  files["main"] = "import \"a/x\";\nimport \"again/a/x\";\n" + calling("x.f");
  CHECK(errors_of(files, "main", true) == "");
}

TEST_CASE("what is private stays in its file") {
  const std::string library =
      "private fn half(x: f32) -> f32 = x * 0.5;\nfn twice(x: f32) -> f32 = half(4.0 * x);\n"
      "private const K = 2;\nprivate step two(y) { split y by K; }\n";
  check_prints({{"main", "import \"lib\";\nfn half(x: f32) -> f32 = twice(x);\n"}, {"lib", library}},
               "const K = 2;\n\nfn lib.half(x: f32) -> f32 = x * 0.5;\n\n"
               "fn twice(x: f32) -> f32 = lib.half(4.0 * x);\n\nfn half(x: f32) -> f32 = twice(x);\n\n"
               "step two(y) {\n  split y by 2;\n}\n");
  for (const char *name : {"half", "lib.half"})
    CHECK(errors_of({{"main", "import \"lib\";\n" + calling(name)}, {"lib", library}}, "main", true) ==
          std::string("main:2:23 E1005 unknown name '") + name +
              "'\n  lib:1:12 'half' is private to this file\n");
  CHECK(
      errors_of({{"main", "import \"lib\";\nkernel k(N: size, A: f32[N]) -> f32[N] { A }\n"
                          "schedule s for k { two(i); }"},
                 {"lib", library}},
                "main", true) ==
      "main:3:20 E5001 no step or schedule 'two' is known here\n  lib:4:14 'two' is private to this file\n");
}

TEST_CASE("imports are handed on only if they are exported") {
  Files files{{"main", "import \"lib\";\n" + calling("tile")},
              {"lib", "import \"blur.atl\";\nconst C = 1;"},
              {"blur.atl", tile}};
  CHECK(errors_of(files, "main", true) ==
        "main:2:23 E1005 unknown name 'tile'\n"
        "  blur.atl:1:4 it is defined here, in a file that is not imported there\n");
  files["lib"] = "export import \"blur.atl\" as b;\nconst C = 1;";
  CHECK(errors_of(files, "main", true).empty());
  files["main"] = "import \"lib\" as l;\n" + calling("l.tile");
  CHECK(errors_of(files, "main", true).empty());
}

TEST_CASE("`private` and `export` are names as well, and what is broken behind them is reported once") {
  CHECK(errors_of(
            {{"main", "fn export(private: f32) -> f32 = private;\nfn private(x: f32) -> f32 = export(x);"}},
            "main") == "");
  CHECK(errors_of({{"main", "private kernel k(N: size) -> f32 { 1.0 + }\nfn f(x: f32) -> f32 = k(1);"}},
                  "main") == "main:1:42 E1001 expected an operand, found '}'\n");
  CHECK(errors_of({{"main", "export kernel k(N: size) -> f32 { 1.0 }"}}, "main") ==
        "main:1:8 E1001 expected 'import', found 'kernel'\n");
}

TEST_CASE("schedules of one name, for a kernel each, are used for both; an imported step has the name, too") {
  std::map<std::string, std::string> files{{"main",
                                            "import \"lib\";\n"
                                            "kernel k(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                                            "kernel m(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                                            "schedule tiles(n) for k { split i by n; }\n"
                                            "schedule tiles(n) for m { split i by n + 1; }\n"
                                            "schedule both for k, m = tiles(8);\n"},
                                           {"lib", "step tiles(y) { split y by 4; }\n"}};
  CHECK(errors_of(files, "main") == "");
}

TEST_CASE("steps and schedules of several files") {
  const std::string kernel = "kernel k(N: size, A: f32[N]) -> f32[N] {\n  gen i < N { A[i] }\n}\n";
  check_prints({{"main", "import \"kernels\";\nimport \"lib\";\nstep tile(y) { split y by 2; }\n"
                         "schedule fast for k { tile(i); lib.tile(i.i); }\n"
                         "schedule more for kernels.k = tiles(8);\n"},
                {"kernels", kernel + "schedule fast for k { split i by 3; }\n"
                                     "schedule tiles(n) for k { split i by n; }\n"},
                {"lib", "step tile(y) { split y by 4; }\n"}},
               kernel + "\nstep lib.tile(y) {\n  split y by 4;\n}\n\nstep tile(y) {\n  split y by 2;\n}\n\n"
                        "schedule kernels.fast for k {\n  split i by 3;\n}\n\n"
                        "schedule tiles(n) for k {\n  split i by n;\n}\n\n"
                        "schedule fast for k {\n  tile(i);\n  lib.tile(i.i);\n}\n\n"
                        "schedule more for k = tiles(8);\n");
}

TEST_CASE("a loop or a tensor of the kernel hides a constant in steps") {
  const std::string library = "const i = 4;\nconst A = 2;\nconst first = 3;\nconst STEP = 8;\n";
  const std::string kernels = "import \"lib\";\nkernel inner(A: f32[16]) -> f32[16] { gen i < 16 { A[i] } }\n"
                              "kernel k(B: f32[16]) -> f32[16] { let x = inner(B); gen j < 16 { x[j] } }\n";
  auto steps_of = [&](const std::string &steps) {
    Sources sources;
    const Files files{{"main", kernels + "schedule s for k { " + steps + " }"}, {"lib", library}};
    Result<Program> program = parse(files, "main", sources);
    REQUIRE(program);
    return print(program->schedules.at(0).steps, 0);
  };
  CHECK(steps_of("split i by STEP;") == "split i by 8;\n");
  CHECK(steps_of("cut j at STEP into first, rest; unroll first;") ==
        "cut j at 8 into first, rest;\nunroll first;\n");
  CHECK(steps_of("split j by first;") == "split j by 3;\n");
}

TEST_CASE("hardware of several files") {
  auto toy = [](const std::string &name) {
    return "hardware " + name + " { header \"t.h\"; available \"1\"; memory v 4 { f32 \"t\"; } }\n";
  };
  Files files{{"main", "import \"a/toy.atl\";\nimport \"b/toy.atl\" as t;\n"
                       "kernel k(N: size, A: f32[N]) -> f32[N] { A }\n"
                       "step to(h) { map all with h; }\n"
                       "schedule s for k { map all with toy.toy; }\nschedule r for k { to(t.toy); }\n"},
              {"a/toy.atl", toy("toy")},
              {"b/toy.atl", toy("toy")}};
  Sources sources;
  Result<Program> program = parse(files, "main", sources);
  REQUIRE(program);
  CHECK(program->hardware.at(0).name == "toy");
  CHECK(program->hardware.at(1).name == "t.toy");
  CHECK(print(program->schedules.at(0).steps, 0) == "map all with toy;\n");
  CHECK(print(program->schedules.at(1).steps, 0) == "to(t.toy);\n");
  files["main"] =
      "import \"a/toy.atl\";\nimport \"c/more.atl\";\nkernel k(N: size, A: f32[N]) -> f32[N] { A }\n"
      "schedule s for k { map all with toy; }\n";
  files["c/more.atl"] = toy("toy");
  CHECK(errors_of(files, "main") == "main:4:33 E1015 'toy' may mean 'toy.toy' or 'more.toy'\n");
  files["main"] = "import \"d.atl\";\nkernel k(N: size, A: f32[N]) -> f32[N] { A }\n"
                  "schedule s for k { map all with toy; }\n";
  files["d.atl"] = "import \"a/toy.atl\";\nconst D = 1;\n";
  CHECK(errors_of(files, "main", true) ==
        "main:3:33 E6001 no hardware 'toy' is known here\n"
        "  a/toy.atl:1:10 it is defined here, in a file that is not imported there\n");
}

TEST_CASE("what a local name would hide in the printed program gets another name") {
  check_prints({{"main", "import \"lib\";\nkernel k(tile: f32) -> f32 { lib.tile(tile) }\n"}, {"lib", tile}},
               "fn lib.tile(x: f32) -> f32 = x;\n\nkernel k(tile: f32) -> f32 {\n  lib.tile(tile)\n}\n");
}

} // namespace atl::modules_test
