// How long `atlc check` takes on every example: reading to pad types, and with all obligations decided by the
// solver. The goals stand in the place of peers.
#include "bench/examples.h"
#include "bench/row.h"

#include "driver/pipeline.h"

#include <algorithm>
#include <chrono>

namespace atl::bench {

namespace {

constexpr double front_goal_ms = 50, total_goal_ms = 2000;

double run_once(const std::filesystem::path &program, driver::Until until) {
  proofs::Prover prover; // a fresh one: verdicts of an earlier round must not help
  auto begin = std::chrono::steady_clock::now();
  driver::compile(program, prover, until);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

Row measure_program(const std::filesystem::path &program, driver::Until until, int rounds) {
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round)
    samples.push_back(run_once(program, until));
  std::nth_element(samples.begin(), samples.begin() + rounds / 2, samples.end());
  bool proved = until == driver::Until::proved;
  return {"check",
          program.stem().string() + (proved ? ", all obligations" : ", without obligations"),
          "ms",
          samples[static_cast<std::size_t>(rounds / 2)],
          {{"goal", proved ? total_goal_ms : front_goal_ms}}};
}

} // namespace

Rows check_suite(const Options &options) {
  Rows rows;
  for (const std::filesystem::path &program : example_programs()) {
    rows.push_back(measure_program(program, driver::Until::typed, options.quick ? 1 : 5));
    rows.push_back(measure_program(program, driver::Until::proved, options.quick ? 1 : 3));
  }
  return rows;
}

} // namespace atl::bench
