// Schedules: what the text becomes, printing it, expansion. Messages have their files in tests/errors.
#include "atl/parse/parse.h"
#include "atl/schedule/text/check_schedules.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/expand.h"
#include "atl/syntax/print.h"
#include "atl/syntax/print_schedule.h"

#include <ctime>
#include <doctest/doctest.h>
#include <fmt/format.h>

namespace atl::schedule_test {

namespace {

constexpr const char *kernels = R"(
kernel blur(N: size, M: size, img: f32[N + 2, M + 2]) -> f32[N, M] {
  let rows = gen y < N + 2, x < M { img[y, x] + img[y, x + 1] + img[y, x + 2] };
  gen y < N, x < M { rows[y, x] + rows[y + 1, x] + rows[y + 2, x] }
}
kernel count(N: size, A: u8[N]) -> (total: i32) { sum i < N { i32(A[i]) } }
const TILE = 32;
)";

Program parsed(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"t", kernels + text});
  auto program = parse_program(sources, file);
  CAPTURE(text);
  REQUIRE_MESSAGE(program, (program ? "" : program.errors().at(0).message));
  return *program;
}

std::vector<Step> steps_of(const std::string &steps) {
  return parsed("schedule s for blur { " + steps + " }").schedules.at(0).steps;
}

// The last schedule of the text, expanded for a kernel; or what is wrong.
std::string expanded(const std::string &text, std::size_t kernel = 0) {
  Program program = parsed(text);
  auto steps = expand(program.schedules.back(), program, program.kernels.at(kernel));
  if (steps)
    return print(*steps);
  return code_name(steps.errors().at(0).code) + " " + steps.errors().at(0).message;
}

std::string checked(const std::string &text) {
  std::string all;
  for (const Diagnostic &error : check_schedules(parsed(text)))
    all += code_name(error.code) + " " + error.message + "\n";
  return all;
}

std::string kinds(const Step &step) {
  std::string all;
  for (const StepItem &item : step.items)
    all += "wip,l"[static_cast<int>(item.kind)];
  return all;
}

} // namespace

TEST_CASE("loop modes") {
  auto body = [](const std::string &text) {
    return parsed("kernel k(N: size, parallel: size, a: f32, A: f32[N, N]) -> f32 { " + text + " }")
        .kernels.back()
        .body;
  };
  ExprPtr e = body("sum parallel y < N, x < N { A[y, x] }");
  const Reduce &outer = std::get<Reduce>(e->node), &inner = std::get<Reduce>(outer.body->node);
  CHECK(outer.mode == LoopMode::parallel);
  CHECK(inner.mode == LoopMode::sequential);
  CHECK(!equal(e, body("sum y < N, x < N { A[y, x] }")));
  CHECK(!equal(e, body("sum unrolled y < N, x < N { A[y, x] }")));
  struct Row {
    const char *text, *printed;
  };
  for (const Row &row : std::vector<Row>{
           {"gen parallel y < 2, x < 2 { a }", "gen parallel y < 2, x < 2 { a }"},
           {"gen parallel y < 2 { gen x < 2 { a } }", "gen parallel y < 2, x < 2 { a }"},
           {"gen y < 2 { gen vectorized x < 2 { a } }", "gen y < 2 { gen vectorized x < 2 { a } }"},
           {"max unrolled y < 2 { max unrolled x < 2 { a } }",
            "max unrolled y < 2 { max unrolled x < 2 { a } }"},
           {"gen unrolled < 2 { a }", "gen unrolled < 2 { a }"},
           {"gen parallel <= i < 2 { a }", "gen (parallel) <= i < 2 { a }"},
           {"gen parallel unrolled < 2 { a }", "gen parallel unrolled < 2 { a }"},
           {"gen vectorized (1) <= y.o.i < 2 { a }", "gen vectorized 1 <= y.o.i < 2 { a }"}}) {
    CAPTURE(row.text);
    CHECK(print(body(row.text)) == row.printed);
    CHECK(equal(body(row.printed), body(row.text)));
  }
}

TEST_CASE("names with points") {
  Program program = parsed("const k.x = 2; kernel k.y_1._2(N: size, A.b: f32[N]) -> (c.d: f32[N]) {"
                           " gen y.o._ < N { A.b[min(y.o._, 0)] + 1.5 * 2.5f32 } }");
  CHECK(program.kernels.back().name == "k.y_1._2");
  CHECK(program.kernels.back().outputs[0].name == "c.d");
  CHECK(program.constants.back().name == "k.x");
}

TEST_CASE("the items of a step") {
  struct Row {
    const char *text, *kinds, *printed;
  };
  for (const Row &row : std::vector<Row>{
           {"split y by 2 * TILE tail cut;", "iwiww", "split y by 2 * 32 tail cut"},
           {"cut y at (N - 1);", "iwi", "cut y at N - 1"},
           {"cut y at -1;", "iwi", "cut y at -1"},
           {"pad rows by 3, max(N, y.o) into p.q;", "iwi,iwi", "pad rows by 3, max(N, y.o) into p.q"},
           {"specialize when N % 8 == 0 and not (1 <= M < 3);", "wp",
            "specialize when N % 8 == 0 and not (1 <= M and M < 3)"},
           {"min x;", "i", "min x"},
           {"let of rows as T.tile;", "wiwi", "let of rows as T.tile"},
           {"done;", "", "done"},
           {"use(y, 3, cut);", "wi,i,ww", "use(y, 3, cut)"},
           {"use();", "ww", "use()"},
           {"use([y, x.o], []);", "wl,lw", "use([y, x.o], [])"},
           {"unroll rows.(y) in rows;", "iwi", "unroll rows.(y) in rows"},
           {"cut y at extent(y.o) / 2;", "iwi", "cut y at extent(y.o) / 2"},
           {"local row, lane;", "i,i", "local row, lane"},
           {"TILE.o by TILE;", "wi", "TILE.o by 32"}}) {
    CAPTURE(row.text);
    std::vector<Step> steps = steps_of(row.text);
    REQUIRE(steps.size() == 1);
    CHECK(kinds(steps[0]) == row.kinds);
    CHECK(to_string(steps[0]) == row.printed);
    CHECK(is_use(steps[0]) == (std::string(row.text).substr(0, 3) == "use"));
    CHECK(print(steps_of(print(steps))) == print(steps));
  }
}

TEST_CASE("blocks, choices and loops over names") {
  std::string text = R"(if h > 1, A is f32 {
  unroll y;
} else if h == 7 {
} else {
  specialize when N > 3 {
    for L in y.i, cut {
      unroll L;
    }
  }
}
)";
  std::vector<Step> steps = steps_of(text);
  CHECK(print(steps) == text);
  REQUIRE(steps.size() == 1);
  CHECK(kinds(steps[0]) == "p,iwi");
  REQUIRE(steps[0].otherwise.size() == 1);
  CHECK(steps[0].otherwise[0].otherwise.at(0).block.at(0).name == "for");
}

TEST_CASE("a program with schedules parses back") {
  Program program = parsed(R"(
    step rows(y, h) { split y by h; if h > 1 and not (h == 7) { parallel y.o; } else { unroll y.o; } }
    step nothing { }
    schedule tiled(T) for blur, count { rows(y, T); nothing(); }
    schedule tiled32 for blur = tiled(TILE);
    schedule same for blur = tiled32;)");
  CHECK(program.steps.size() == 2);
  REQUIRE(program.schedules.size() == 3);
  CHECK(program.schedules[0].kernels.size() == 2);
  CHECK(to_string(program.schedules[1].steps.at(0)) == "tiled(32)");
  std::string once = print(program);
  Sources sources;
  auto again = parse_program(sources, sources.add({"again", once}));
  REQUIRE(again);
  CHECK(print(*again) == once);
}

TEST_CASE("expansion") {
  std::string rows = "step rows(y, h) { split y by h; unroll y.i; }\n";
  struct Row {
    std::string text;
    const char *result;
  };
  for (const Row &row : std::vector<Row>{
           {rows + "schedule s for blur { rows(y, 2 * TILE); rows(x.o, 4); done; }",
            "split y by 64;\nunroll y.i;\nsplit x.o by 4;\nunroll x.o.i;\ndone;\n"},
           {rows + "schedule s(h) for blur { rows(y, h + 1); } schedule t for blur = s(3);",
            "split y by 4;\nunroll y.i;\n"},
           {rows + "step twice(y, h) { rows(y, h); rows(y.o, h / 2); } schedule s for blur { twice(a, 8); }",
            "split a by 8;\nunroll a.i;\nsplit a.o by 4;\nunroll a.o.i;\n"},
           {rows + "schedule s for blur { specialize when N % 8 == 0 { rows(y, 8); } }",
            "specialize when N % 8 == 0 {\n  split y by 8;\n  unroll y.i;\n}\n"},
           {"step c(y, t, p) { split y by 4 tail t; specialize when p { } bound p; } "
            "schedule s for blur { c(y, cut, N > 3); }",
            "split y by 4 tail cut;\nspecialize when N > 3;\nbound N > 3;\n"},
           {"step c(N, M) { bound N < M; } schedule s for blur { c(M, N); }", "bound M < N;\n"},
           {"schedule s for blur { for L in y, x { for K in L.o, L.i { unroll K.z; } } }",
            "unroll y.o.z;\nunroll y.i.z;\nunroll x.o.z;\nunroll x.i.z;\n"},
           {"schedule s for blur { for h in 1, 4 { if h > 1 { split y by h; } else { one; } } }",
            "one;\nsplit y by 4;\n"},
           {"schedule s for blur { if img is f32, out is f32, 3 > 2 { a; } if img is u8 { b; } else if 1 > 2 "
            "{ c; } else { d; } }",
            "a;\nd;\n"},
           {"step c(y, L) { reorder y, L; reorder L, y; } schedule s for blur { c(a, [b, c.i]); c(a, []); }",
            "reorder a, b, c.i;\nreorder b, c.i, a;\nreorder a;\nreorder a;\n"},
           {"step u(L) { for K in L { unroll K; } } step c(y, L) { u([y, y.i]); u(L); } "
            "schedule s for blur { c(a, [b]); }",
            "unroll a;\nunroll a.i;\nunroll b;\n"},
           {"step c(t, y) { unroll t.(y) in t; } schedule s for blur { c(rows, y.i); }",
            "unroll rows.y.i in rows;\n"},
           {"step c(y) { cut y at extent(y.o) / 2; } schedule s for blur { c(a.b); }",
            "cut a.b at extent(a.b.o) / 2;\n"},
           {"step c(y, t) { cut y in t at extent(y.o, t) / 2; } schedule s for blur { c(a.b, rows); }",
            "cut a.b in rows at extent(a.b.o, rows) / 2;\n"},
           // y is a loop of blur, row is not: but the second use comes after the first.
           {"step c(a) { local y, row; split a by 2 into y, row; } schedule s for blur { c(b); c(d); }",
            "split b by 2 into y_2, row;\nsplit d by 2 into y_3, row_2;\n"},
           {"schedule s for blur { split x by 2 into lane, rest; for a in b { local lane; unroll lane; } "
            "unroll "
            "lane; }",
            "split x by 2 into lane, rest;\nunroll lane_2;\nunroll lane;\n"},
           {"schedule s for blur { }", ""},
           {"schedule s for blur { for L in y { nobody(L); } }",
            "E5001 no step or schedule 'nobody' is defined"},
           {"step g(y) { f(y); } step f(y) { g(y); } schedule s for blur { f(y); }",
            "E1003 more than 64 uses of steps are nested here"}}) {
    CAPTURE(row.text);
    CHECK(expanded(row.text) == row.result);
  }
  CHECK(expanded("schedule s for blur, count { if A is u8, total is i32 { a; } }", 1) == "a;\n");
}

TEST_CASE("an expanded step knows the uses that it comes from") {
  Program program = parsed("step a(y) { unroll y; } step b(y) { a(y.o); } schedule s for blur { b(x); }");
  auto steps = expand(program.schedules[0], program, program.kernels[0]);
  REQUIRE(steps);
  REQUIRE(steps->size() == 1);
  const Step &step = steps->at(0);
  REQUIRE(step.via.size() == 2);
  CHECK(step.via[0].text == "from `a(x.o)`");
  CHECK(step.via[1].text == "from `b(x)`");
  CHECK(step.items[0].text == "x.o");
}

TEST_CASE("programs that grow without measure are refused at once") {
  std::clock_t start = std::clock(); // of the processor, whatever else runs
  std::string doubling = "step s0(y) { } ", growing = "step g0(y) { unroll y; } ", many, deep = "unroll y;";
  for (int i = 1; i <= 60; ++i) {
    doubling += fmt::format("step s{}(y) {{ s{}(y); s{}(y); }} ", i, i - 1, i - 1);
    growing += fmt::format("step g{}(y) {{ g{}(y + y); }} ", i, i - 1);
  }
  CHECK(checked(doubling + "schedule s for blur { s60(y); }") ==
        "E5005 the schedule 's' has more than 10000 steps, with those of the steps that it uses\n");
  CHECK(checked(growing + "schedule s for blur { g60(y); }") ==
        "E1003 'y + y' has more than 10000 parts with its arguments\n");
  for (int i = 0; i < 10000; ++i)
    many += "split y by 32 tail cut;\n";
  CHECK(checked("schedule s for blur { " + many + "}") == "");
  CHECK(checked("schedule s for blur { " + many + "done; }") ==
        "E5005 the schedule 's' has more than 10000 steps, with those of the steps that it uses\n");
  for (int i = 0; i < 190; ++i)
    deep = "specialize when N > 3 { " + deep + " }";
  CHECK(checked("schedule s for blur { " + deep + "}") == "");
  CHECK((std::clock() - start) / CLOCKS_PER_SEC < 10);
}

} // namespace atl::schedule_test
