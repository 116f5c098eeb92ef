// The usage of a step is its signature: parsed, matched with steps, and the table of all steps.
#include "atl/schedule/steps/table.h"

#include "atl/parse/parse.h"
#include "atl/parse/scan.h"
#include "atl/syntax/print_schedule.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace atl::signature_test {

using namespace atl::schedule;

namespace {

// name, loop, all loops of a name, index, condition, choice; `?` where it may be left out, `+` of a list.
std::string parameters(std::string_view usage) {
  std::string all;
  for (const Parameter &p : signature_of(usage).parameters)
    all +=
        fmt::format("{}{}{} ", "nlaicw"[static_cast<int>(p.kind)], p.optional ? "?" : "", p.list ? "+" : "");
  return all;
}

Step step_of(const std::string &text) {
  Sources sources;
  auto program = parse_program(
      sources, sources.add({"t", "kernel a(N: size) -> f32 { 1.0 } schedule s for a { " + text + " }"}));
  REQUIRE_MESSAGE(program, (program ? "" : program.errors().at(0).message));
  return program->schedules.at(0).steps.at(0);
}

// The arguments, as they are written; those of one parameter in parentheses.
std::string matched(std::string_view usage, const std::string &text) {
  Match match = schedule::match(step_of(text), signature_of(usage));
  if (!match.arguments)
    return "no" + (match.note ? ": " + match.note->text : "");
  std::string all;
  for (const Given &given : *match.arguments) {
    all += "(";
    for (const Argument &a : given)
      all += fmt::format("{}{}{}{}{};", a.every ? "every " : "", a.name.name,
                         a.name.within ? " in " + *a.name.within : "", a.index ? to_string(a.index) : "",
                         a.condition ? to_string(a.condition) : "");
    all += ")";
  }
  return all;
}

constexpr const char *split = "split [every] LOOP by FACTOR [into OUTER, INNER] [tail guard | cut]";
constexpr const char *tile = "tile LOOP by FACTOR, LOOP by FACTOR ... [tail guard | cut]";
constexpr const char *compute = "compute TENSOR at [every] LOOP, [every] LOOP ...";

} // namespace

TEST_CASE("the parameters of a usage") {
  CHECK(parameters(split) == "a i n? n? w? ");
  CHECK(parameters(tile) == "l+ i+ w? ");
  CHECK(parameters(compute) == "n a+ ");
  CHECK(parameters("layout TENSOR to DIMENSION, DIMENSION ...") == "n i+ ");
  CHECK(parameters("specialize when CONDITION { ... }") == "c ");
  CHECK(parameters("simplify") == "");
  CHECK(signature_of(split).parameters.at(4).choices == std::vector<std::string_view>{"guard", "cut"});
  CHECK(signature_of("specialize when CONDITION { ... }").has_block);
}

TEST_CASE("a usage that is none is a mistake of the compiler") {
  for (const char *usage : {"split LOOP [by FACTOR", "split LOOP] by", "fuse LOOP [LOOP]", "pack LOOP ...",
                            "tile LOOP by FACTOR, LOOP to FACTOR ...", "inline [every] TENSOR", ""})
    CHECK_THROWS(signature_of(usage));
}

TEST_CASE("steps and their signatures") {
  struct Row {
    const char *usage, *step, *arguments;
  };
  for (const Row &row : std::vector<Row>{
           {split, "split y by 4;", "(y;)(4;)()()()"},
           {split, "split every y.o in rows by N / 2 into p, q tail cut;",
            "(every y.o in rows;)(N / 2;)(p;)(q;)(cut;)"},
           {split, "split y by 4 tail guard;", "(y;)(4;)()()(guard;)"},
           {split, "split y;", "no"},
           {split, "split y by 4 into p;", "no"},
           {split, "split y by 4 tail exact;", "no"},
           {split, "split y by 4 tail cut into p, q;", "no"},
           {split, "split y by 4, 5;", "no"},
           {split, "split y + 1 by 4;", "no"},
           {split, "split y by N > 3;", "no"},
           {split, "split y by 4 { unroll y; }", "no"},
           {split, "split at by 4;", "no: 'at' is a word of steps: a name stands here"},
           {tile, "tile y by 4;", "(y;)(4;)()"},
           {tile, "tile y by 4, x in rows by M, z by 2 tail cut;", "(y;x in rows;z;)(4;M;2;)(cut;)"},
           {tile, "tile y by 4, x;", "no"},
           {tile, "tile every y by 4;", "no: 'every' is a word of steps: a name stands here"},
           {compute, "compute rows at every y, x;", "(rows;)(every y;x;)"},
           {"compute TENSOR at root", "compute rows at root;", "(rows;)"},
           {"compute TENSOR at root", "compute rows at roots;", "no"},
           {"specialize when CONDITION { ... }", "specialize when N > 3 { unroll y; }", "(N > 3;)"},
           {"specialize when CONDITION { ... }", "specialize when N;", "no"},
           {"simplify", "simplify;", ""},
           {"simplify", "simplify y;", "no"},
       }) {
    CAPTURE(row.step);
    CHECK(matched(row.usage, row.step) == row.arguments);
  }
}

TEST_CASE("a function has the parameters of the usage") {
  rewrites::Refused (*function)(rewrites::Work &, const Path &, const std::optional<Index> &) =
      [](rewrites::Work &, const Path &, const std::optional<Index> &) { return rewrites::Refused(); };
  CHECK(step("peel LOOP [by COUNT]", "", function).signature.parameters.size() == 2);
  for (const char *usage :
       {"peel LOOP", "peel LOOP by COUNT", "peel TENSOR [by COUNT]", "peel [every] LOOP [by COUNT]",
        "peel LOOP, LOOP ... [by COUNT]", "peel LOOP [by CONDITION]", "peel LOOP [by COUNT] [into FIRST]"})
    CHECK_THROWS(step(usage, "", function));
}

// Between two expressions of a step the parser wants a word that is no name.
TEST_CASE("what stands behind an argument is a word of steps") {
  auto check = [](const auto &self, const std::vector<Part> &parts, bool behind) -> void {
    for (const Part &part : parts) {
      if (part.kind == Part::Kind::word && behind)
        CHECK_MESSAGE(parse::is_step_marker(part.word), part.word);
      self(self, part.inside, true);
      behind = part.kind != Part::Kind::word && part.kind != Part::Kind::comma;
    }
  };
  for (const StepRow &row : all_steps())
    check(check, row.signature.parts, false);
}

TEST_CASE("a step that is written in several ways says all of them") {
  auto found = find_row(step_of("map y;"));
  REQUIRE(!found);
  CHECK(found.errors().at(0).message == "map is written in another way");
  CHECK(found.errors().at(0).notes.at(0).text ==
        "write `map all with HARDWARE;` or `map LOOP to INSTRUCTION;`");
  CHECK(find_row(step_of("map all with avx2;"))->row->usage == "map all with HARDWARE");
  CHECK(find_row(step_of("map y to add;"))->row->usage == "map LOOP to INSTRUCTION");
}

} // namespace atl::signature_test
