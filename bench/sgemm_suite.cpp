// examples/sgemm against the libraries of the machine, on one thread: squares, and the shapes at which
// libraries are weak. Every result is compared with the first peer's before anything is measured.
#include "bench/blas_peers.h"
#include "bench/peak.h"
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

namespace atl::bench {

namespace {

struct Shape {
  std::int64_t m, n, k;
};

constexpr std::array shapes{
    Shape{24, 24, 24},       Shape{32, 32, 32},       Shape{48, 48, 48},       Shape{64, 64, 64},
    Shape{96, 96, 96},       Shape{128, 128, 128},    Shape{192, 192, 192},    Shape{221, 221, 221},
    Shape{256, 256, 256},    Shape{317, 317, 317},    Shape{384, 384, 384},    Shape{397, 397, 397},
    Shape{512, 512, 512},    Shape{768, 768, 768},    Shape{1021, 1021, 1021}, Shape{1024, 1024, 1024},
    Shape{1536, 1536, 1536}, Shape{2048, 2048, 2048}, Shape{1, 2048, 2048},    Shape{4, 2048, 2048},
    Shape{6, 2048, 2048},    Shape{16, 2048, 2048},   Shape{2048, 2, 2048},    Shape{2048, 4, 2048},
    Shape{2048, 8, 2048},    Shape{1024, 1024, 8},    Shape{16, 16, 4096},     Shape{16, 16384, 512},
    Shape{16384, 16, 512},   Shape{270, 65, 513},     Shape{7, 13, 5}};
constexpr std::array quick_shapes{Shape{64, 64, 64}, Shape{96, 80, 33}};

std::vector<float> random_values(std::int64_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float &value : all)
    value = values(random);
  return all;
}

// Both add up k products of numbers up to 1, in different orders.
void require_close(const std::string &name, const std::vector<float> &ours, const std::vector<float> &theirs,
                   std::int64_t k) {
  const double tolerance = 1e-6 * static_cast<double>(k + 1);
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - theirs[i]) <= tolerance))
      throw std::runtime_error(
          fmt::format("{}: element {} is {}, the peer has {}", name, i, ours[i], theirs[i]));
}

std::string case_name(const Shape &s) {
  return fmt::format("sgemm {}x{}x{}", s.m, s.n, s.k);
}

using OurSgemm = int(std::int64_t, std::int64_t, std::int64_t, const float *, const float *, float *);

struct Operands {
  explicit Operands(const Shape &s)
      : a(random_values(s.m * s.k)), b(random_values(s.k * s.n)), ours(static_cast<std::size_t>(s.m * s.n)),
        theirs(ours.size()) {}
  std::vector<float> a, b, ours, theirs;
};

Row one_thread(const Shape &s, OurSgemm *ours, const std::vector<SgemmPeer> &peers, const Effort &effort) {
  Operands data(s);
  std::string name = case_name(s);
  std::vector<Contender> contenders{
      {"ours", [&] { ours(s.m, s.n, s.k, data.a.data(), data.b.data(), data.ours.data()); }}};
  for (const SgemmPeer &peer : peers)
    contenders.push_back(
        {peer.name, [&] { peer.run(s.m, s.n, s.k, data.a.data(), data.b.data(), data.theirs.data()); }});
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    contenders[i].run();
    if (i > 0)
      require_close(name, data.ours, data.theirs, s.k);
  }
  double flops = 2 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
  contenders.push_back(peak(flops));
  std::map<std::string, double> times = measure(contenders, effort);
  Row row{"sgemm", name, "ms", times.at("ours"), {}, times.at("peak")};
  times.erase("ours");
  times.erase("peak");
  row.peers = times;
  return row;
}

// The schedule for threads on two of them, against itself on one, and against the peer that uses OpenMP as we
// do: threads of several libraries that wait for work would take the CPUs from each other.
void two_threads(const Shape &s, OurSgemm *ours, const std::vector<SgemmPeer> &peers, const Effort &effort,
                 Rows &rows) {
  Operands data(s);
  auto run = [&](int threads) {
    use_threads(threads);
    ours(s.m, s.n, s.k, data.a.data(), data.b.data(), data.ours.data());
  };
  std::vector<Contender> contenders{{"two", [&] { run(2); }}, {"one", [&] { run(1); }}};
  for (const SgemmPeer &peer : peers)
    if (peer.name == "oneDNN")
      contenders.push_back({peer.name, [&] {
                              use_threads(2);
                              peer.run(s.m, s.n, s.k, data.a.data(), data.b.data(), data.theirs.data());
                            }});
  std::map<std::string, double> times = measure(contenders, effort);
  std::string name = case_name(s) + ", two threads";
  rows.push_back({"sgemm", name + " against one", "ms", times.at("two"), {{"one", times.at("one")}}});
  if (times.contains("oneDNN")) {
    require_close(name, data.ours, data.theirs, s.k);
    rows.push_back({"sgemm", name, "ms", times.at("two"), {{"oneDNN", times.at("oneDNN")}}});
  }
}

} // namespace

Rows sgemm_suite(const Options &options) {
  SharedObject code = SharedObject::from_example("sgemm", {{"sgemm"}, "fast,avx2"}),
               parallel = SharedObject::from_example("sgemm", {{"sgemm"}, "threads,avx2_threads"});
  const std::vector<SgemmPeer> peers = sgemm_peers();
  const Effort effort = options.effort(9);
  std::vector<Shape> chosen(shapes.begin(), shapes.end()), large{{1024, 1024, 1024}, {2048, 2048, 2048}};
  if (options.quick) {
    chosen.assign(quick_shapes.begin(), quick_shapes.end());
    large = {{96, 768, 33}};
  }
  Rows rows;
  use_threads(1);
  for (const Shape &s : chosen)
    if (options.wants(case_name(s)))
      rows.push_back(one_thread(s, code.function<OurSgemm>("sgemm"), peers, effort));
  if (use_threads(2)) {
    for (const Shape &s : large)
      if (options.wants(case_name(s) + ", two threads"))
        two_threads(s, parallel.function<OurSgemm>("sgemm"), peers, effort, rows);
  } else {
    fmt::print(stderr, "there are not two threads here: nothing is measured with two\n");
  }
  return rows;
}

} // namespace atl::bench
