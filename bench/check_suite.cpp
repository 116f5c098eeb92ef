// How long `atlc check` takes on every example: reading to pad types, and with all obligations decided by the
// solver; the one of these that takes longest; and how long each kernel takes under each of its schedules,
// from text to C. The goals stand in the place of peers.
#include "bench/examples.h"
#include "bench/row.h"

#include "cbackend/library/emit_c.h"
#include "driver/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::bench {

namespace {

constexpr double front_goal_ms = 50, total_goal_ms = 2000, obligation_goal_ms = 100, to_c_goal_ms = 5000;

Row measure_program(const std::filesystem::path &program, driver::Until until, int rounds) {
  bool proved = until == driver::Until::proved;
  double ms = median_ms(rounds, [&] {
    proofs::Prover prover; // a fresh one: verdicts of an earlier round must not help
    driver::compile(program, prover, until);
  });
  return {"check",
          program.stem().string() + (proved ? ", all obligations" : ", without obligations"),
          "ms",
          ms,
          {{"goal", proved ? total_goal_ms : front_goal_ms}}};
}

double slowest_ms(const driver::Compilation &c) {
  double slowest = 0;
  for (const driver::Compiled &kernel : c.kernels)
    for (const driver::Decided &decided : kernel.decided)
      slowest = std::max(slowest, decided.verdict.milliseconds);
  return slowest;
}

// The least of all rounds: others that use the processor only add to it.
Row measure_slowest_obligation(const std::filesystem::path &program, int rounds) {
  double least = 0;
  for (int round = 0; round < rounds; ++round) {
    proofs::Prover prover;
    const double slowest = slowest_ms(driver::compile(program, prover, driver::Until::proved));
    least = round == 0 ? slowest : std::min(least, slowest);
  }
  return {
      "check", program.stem().string() + ", slowest obligation", "ms", least, {{"goal", obligation_goal_ms}}};
}

// Nothing but one kernel under one schedule is made; obligations of that are decided, none is left out.
Row measure_schedule(const std::filesystem::path &program, const std::string &kernel,
                     const std::string &schedule, int rounds) {
  const driver::Choice choice{{kernel}, schedule};
  bool made = false;
  double ms = median_ms(rounds, [&] {
    proofs::Prover prover;
    driver::Compilation c = driver::compile(program, prover, driver::Until::proved, choice);
    for (driver::Compiled &k : c.kernels)
      if (k.proved && k.name == kernel && k.schedule == schedule)
        made = !cbackend::emit_source(kernel, {*k.loops}).empty();
  });
  return {"check",
          fmt::format("{}, {} under {}, {}", program.stem().string(), kernel, schedule,
                      made ? "text to C" : "refused"),
          "ms",
          ms,
          {{"goal", to_c_goal_ms}}};
}

void measure_schedules(const std::filesystem::path &program, int rounds, Rows &rows) {
  proofs::Prover prover;
  const driver::Compilation c = driver::compile(program, prover, driver::Until::parsed);
  if (!c.program)
    return; // an example of a mistake
  for (const Schedule &schedule : c.program->schedules)
    for (const ScheduleParam &kernel : schedule.kernels)
      if (schedule.params.empty())
        rows.push_back(measure_schedule(program, kernel.name, schedule.name, rounds));
}

} // namespace

Rows check_suite(const Options &options) {
  Rows rows;
  for (const std::filesystem::path &program : example_programs()) {
    rows.push_back(measure_program(program, driver::Until::typed, options.quick ? 1 : 5));
    rows.push_back(measure_program(program, driver::Until::proved, options.quick ? 1 : 3));
    rows.push_back(measure_slowest_obligation(program, options.quick ? 1 : 3));
    measure_schedules(program, options.quick ? 1 : 3, rows);
  }
  return rows;
}

} // namespace atl::bench
