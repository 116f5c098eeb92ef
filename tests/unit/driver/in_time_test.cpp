// No pass goes on when its time is up; and how many steps passes take for programs that grow, which does not
// depend on the clock.
#include "driver/in_time.h"

#include "accel/map_loops.h"
#include "cbackend/library/emit_c.h"
#include "proofs/reader/reader.h"
#include "proofs/theorem/coq_file.h"
#include "tests/support/scheduled.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

namespace atl::in_time_test {

using testing::scheduled;

namespace {

// No time is given to it. It must take many steps: the clock is looked at now and then.
bool is_left(const std::function<void()> &work) {
  return driver::in_time(0, "the work", std::nullopt, work).has_value();
}

// Each tensor reads two neighbours in the one before.
std::string chain(int count, const std::string &steps) {
  std::string lets, before = "x";
  for (int n = 1; n <= count; ++n) {
    lets += fmt::format("  let t{0} = gen z{0} < N + {1} {{ {2}[z{0}] + {2}[z{0} + 1] }};\n", n, count - n,
                        before);
    before = fmt::format("t{}", n);
  }
  return fmt::format(
      "kernel chain(N: size, x: f32[N + {}]) -> f32[N] {{\n{}  gen y < N {{ {}[y] * 2.0 }}\n}}\n"
      "schedule s for chain {{ {} }}\n",
      count, lets, before, steps);
}

std::string computed_at(int count) {
  std::string steps = "split y by 8 tail cut;";
  for (int n = count; n > 0; --n)
    steps += fmt::format(" compute t{} at y.o, y.t;", n);
  return chain(count, steps);
}

const std::string scale = "kernel scale(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] * 2.0 } }\n";

std::string splits(int count) {
  std::string steps, loop = "i";
  for (int n = 0; n < count; ++n, loop += ".o")
    steps += fmt::format(" split {} by 2;", loop);
  return scale + "schedule s for scale {" + steps + " }\n";
}

std::string versions(int count) {
  std::string steps;
  for (int n = 1; n <= count; ++n)
    steps += fmt::format(" specialize when N == {};", n);
  return scale + "schedule s for scale {" + steps + " }\n";
}

double steps_of(const std::string &program) {
  const std::uint32_t before = steps_taken;
  REQUIRE(scheduled(program).problem == "");
  return static_cast<double>(steps_taken - before);
}

} // namespace

TEST_CASE("in time: each pass is left when its time is up") {
  const std::string text = chain(200, "split y by 8;");
  Sources sources;
  const std::uint32_t file = sources.add({"test.atl", text});
  CHECK(is_left([&] { (void)parse_program(sources, file); }));
  const auto program = parse_program(sources, file);
  REQUIRE(program);
  CHECK(is_left([&] { (void)check_program(*program); }));
  const TypedKernel algorithm = check_program(*program)->kernels.at(0);
  const auto steps = expand(program->schedules.at(0), *program, program->kernels.at(0));
  auto no_problem = [](const Obligation &) { return std::optional<Diagnostic>(); };
  CHECK(is_left([&] { (void)schedule::run(algorithm, *steps, no_problem); }));
  const auto outcome = schedule::run(algorithm, *steps, no_problem);
  const schedule::Version &version = std::get<schedule::Scheduled>(outcome).versions.at(0);
  CHECK(is_left([&] {
    (void)equality::equal_obligations(algorithm, version.kernel, version.prophecies, algorithm.span,
                                      version.reindexing);
  }));
  CHECK(is_left([&] { (void)padtypes::check_pads(version.kernel); }));
  const std::vector<lowering::Version> normal{
      {truth(true), lowering::normal_form(padtypes::check_pads(version.kernel))}};
  CHECK(is_left([&] { (void)lowering::lower(normal, algorithm.assumptions); }));
  const auto loops = lowering::lower(normal, algorithm.assumptions);
  REQUIRE(loops);
  CHECK(is_left([&] { (void)cbackend::emit_library("chain", {*loops}); }));
  const cbackend::Library c = cbackend::emit_library("chain", {*loops});
  CHECK(is_left([&] {
    (void)proofs::reader::read_back({"chain", c.header.name, c.header.text, c.source.text}, {*loops});
  }));
  const proofs::coq::Subject subject{
      "chain", algorithm, {{truth(true), version.kernel, normal[0].normal.kernel, version.prophecies, {}}},
      *loops,  {},        {}};
  CHECK(is_left([&] { (void)proofs::coq::file(subject); }));
}

TEST_CASE("in time: the message, and limits inside of limits") {
  auto take_many_steps = [] {
    for (int n = 0; n < 1000; ++n)
      take_step();
  };
  auto late = driver::in_time(0, "lowering blur", std::nullopt, take_many_steps);
  REQUIRE(late);
  CHECK(late->message == "lowering blur did not end within the 0 ms of --timeout");
  CHECK(code_name(late->code) == "E8010");
  CHECK(!driver::in_time(std::nullopt, "it", std::nullopt, take_many_steps));
  take_many_steps(); // the limit is gone
  CHECK(is_left([&] {
    const TimeLimit of_the_solver(std::nullopt);
    take_many_steps();
    CHECK(is_left(take_many_steps)); // a limit without time, inside of none
    take_many_steps();
    throw TimeIsUp(); // reached
  }));
}

TEST_CASE("in time: what takes twice as long a program takes few times the steps") {
  const double splits_growth = steps_of(splits(16)) / steps_of(splits(8)),
               computed_at_growth = steps_of(computed_at(32)) / steps_of(computed_at(16)),
               versions_growth = steps_of(versions(64)) / steps_of(versions(32));
  MESSAGE("splits ", splits_growth, ", computed at a loop ", computed_at_growth, ", versions ",
          versions_growth);
  CHECK(splits_growth < 8);
  CHECK(computed_at_growth < 4);
  CHECK(versions_growth < 4);
}

} // namespace atl::in_time_test
