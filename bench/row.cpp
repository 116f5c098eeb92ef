#include "bench/row.h"

#include "atl/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>

namespace atl::bench {

namespace {

constexpr double shortest_sample_ms = 5; // a sample repeats the run until it has taken as long

double elapsed_ms(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

// Repeats the run; looks at the clock, which takes as long as a small product, only after twice as many each
// time.
double sample(const Contender &contender) {
  auto begin = std::chrono::steady_clock::now();
  std::int64_t runs = 0;
  double elapsed = 0;
  do {
    for (std::int64_t more = std::max<std::int64_t>(runs, 1); more > 0; --more, ++runs)
      contender.run();
    elapsed = elapsed_ms(begin);
  } while (elapsed < shortest_sample_ms);
  return elapsed / static_cast<double>(runs) * contender.part;
}

double median(std::vector<double> values) {
  ATL_CHECK(!values.empty(), "a median of nothing");
  std::sort(values.begin(), values.end());
  std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void print(const Row &row) {
  std::string peers;
  for (const auto &[name, value] : row.peers)
    peers += fmt::format("{}{} {:.4g}", peers.empty() ? "" : ", ", name, value);
  std::string of_limit = row.limit > 0 ? fmt::format("  {:3.0f} % of peak", 100 * row.limit / row.ours) : "";
  fmt::print("{:8} {:48} {:10.4g} {}  {:6.2f}{}  ({})\n", row.suite, row.name, row.ours, row.unit,
             row.ratio(), of_limit, peers);
  std::fflush(stdout);
}

} // namespace

void Rows::push_back(Row row) {
  print(row);
  rows_.push_back(std::move(row));
}

std::string Row::best_peer() const {
  auto best = std::min_element(peers.begin(), peers.end(),
                               [](const auto &a, const auto &b) { return a.second < b.second; });
  return best == peers.end() ? "" : best->first;
}

double Row::ratio() const {
  std::string best = best_peer();
  return best.empty() || ours <= 0 ? 0 : peers.at(best) / ours;
}

std::map<std::string, Mean> means(const std::vector<Row> &rows) {
  std::map<std::string, std::vector<double>> ratios;
  for (const Row &row : rows) {
    if (!row.peers.empty())
      ratios["the best peer"].push_back(row.ratio());
    for (const auto &[peer, time] : row.peers)
      ratios[peer].push_back(time / row.ours);
  }
  std::map<std::string, Mean> result;
  for (const auto &[peer, all] : ratios) {
    double logs = 0;
    for (double ratio : all)
      logs += std::log(ratio);
    result[peer] = {all.size(), std::exp(logs / static_cast<double>(all.size()))};
  }
  return result;
}

double median_ms(int rounds, const std::function<void()> &run) {
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    samples.push_back(elapsed_ms(begin));
  }
  return median(std::move(samples));
}

std::map<std::string, double> measure(const std::vector<Contender> &contenders, const Effort &effort) {
  std::map<std::string, std::vector<double>> samples;
  std::vector<const Contender *> turns;
  for (const Contender &contender : contenders) {
    contender.run(); // page tables
    turns.push_back(&contender);
  }
  std::mt19937 random(7);
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < effort.rounds || elapsed_ms(begin) < effort.ms; ++round) {
    // None always finds the caches as the same other leaves them.
    std::shuffle(turns.begin(), turns.end(), random);
    for (const Contender *contender : turns)
      samples[contender->name].push_back(sample(*contender));
  }
  std::map<std::string, double> medians;
  for (const auto &[name, values] : samples)
    medians[name] = median(values);
  return medians;
}

} // namespace atl::bench
