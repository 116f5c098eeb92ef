// examples/sgemm against the libraries of the machine, on one thread: squares, and the shapes at which
// libraries are weak; and shapes that nobody chose. Every result is compared with the first peer's before
// anything is measured.
#include "bench/blas_peers.h"
#include "bench/peak.h"
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/sums.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

namespace atl::bench {

namespace {

constexpr std::array sgemm_shapes = std::to_array<ProductShape>(
    {{24, 24, 24},       {32, 32, 32},       {48, 48, 48},       {64, 64, 64},     {96, 96, 96},
     {128, 128, 128},    {192, 192, 192},    {221, 221, 221},    {256, 256, 256},  {317, 317, 317},
     {384, 384, 384},    {397, 397, 397},    {512, 512, 512},    {768, 768, 768},  {1021, 1021, 1021},
     {1024, 1024, 1024}, {1536, 1536, 1536}, {2048, 2048, 2048}, {1, 2048, 2048},  {4, 2048, 2048},
     {6, 2048, 2048},    {16, 2048, 2048},   {2048, 2, 2048},    {2048, 4, 2048},  {2048, 8, 2048},
     {1024, 1024, 8},    {16, 16, 4096},     {16, 16384, 512},   {16384, 16, 512}, {270, 65, 513},
     {7, 13, 5}});
constexpr std::size_t sweep_shapes = 200, quick_sweep_shapes = 5;
constexpr double least_side = 4, greatest_side = 2048, least_products = 1 << 12, most_products = 1 << 28;
constexpr std::array quick_sgemm_shapes = std::to_array<ProductShape>({{64, 64, 64}, {96, 80, 33}});

using OurSgemm = int(std::int64_t, std::int64_t, std::int64_t, const float *, const float *, float *);

struct Operands {
  explicit Operands(const ProductShape &s)
      : a(uniform_values(s.m * s.k, -1, 1)), b(uniform_values(s.k * s.n, -1, 1)),
        ours(static_cast<std::size_t>(s.m * s.n)), theirs(ours.size()) {}
  std::vector<float> a, b, ours, theirs;
};

double products(const ProductShape &s) {
  return static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
}

// The same each time; as many from 4 to 8 as from 1024 to 2048.
std::vector<ProductShape> random_shapes(std::size_t count) {
  std::mt19937_64 random(20261124);
  auto side = [&] {
    const double share = static_cast<double>(random()) / static_cast<double>(std::mt19937_64::max());
    return static_cast<std::int64_t>(least_side * std::pow(greatest_side / least_side, share));
  };
  std::vector<ProductShape> shapes;
  while (shapes.size() < count) {
    const ProductShape s{side(), side(), side()};
    if (products(s) >= least_products && products(s) <= most_products)
      shapes.push_back(s);
  }
  return shapes;
}

Row one_thread(const ProductShape &s, OurSgemm *ours, const std::vector<SgemmPeer> &peers,
               const Effort &effort) {
  Operands data(s);
  std::string name = case_name("sgemm", s);
  std::vector<Contender> contenders{
      {"ours", [&] { ours(s.m, s.n, s.k, data.a.data(), data.b.data(), data.ours.data()); }}};
  for (const SgemmPeer &peer : peers)
    contenders.push_back(
        {peer.name, [&] { peer.run(s.m, s.n, s.k, data.a.data(), data.b.data(), data.theirs.data()); }});
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    contenders[i].run();
    if (i > 0)
      require_close_sums(name, data.ours, data.theirs, s.k);
  }
  contenders.push_back(peak(2 * products(s)));
  std::map<std::string, double> times = measure(contenders, effort);
  Row row{"sgemm", name, "ms", times.at("ours"), {}, times.at("peak")};
  times.erase("ours");
  times.erase("peak");
  row.peers = times;
  return row;
}

// The schedule for threads on two of them, against itself on one, and against the peer that uses OpenMP as we
// do: threads of several libraries that wait for work would take the CPUs from each other.
void two_threads(const ProductShape &s, OurSgemm *ours, const std::vector<SgemmPeer> &peers,
                 const Effort &effort, Rows &rows) {
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
  std::string name = case_name("sgemm", s) + ", two threads";
  rows.push_back({"sgemm", name + " against one", "ms", times.at("two"), {{"one", times.at("one")}}});
  if (times.contains("oneDNN")) {
    require_close_sums(name, data.ours, data.theirs, s.k);
    rows.push_back({"sgemm", name, "ms", times.at("two"), {{"oneDNN", times.at("oneDNN")}}});
  }
}

} // namespace

Rows sgemm_suite(const Options &options) {
  SharedObject code = SharedObject::from_example("sgemm", chosen(options, {"sgemm"}, "fast,avx2"));
  const std::vector<SgemmPeer> peers = sgemm_peers();
  const Effort effort = options.effort(9);
  std::vector<ProductShape> shapes(sgemm_shapes.begin(), sgemm_shapes.end()),
      large{{1024, 1024, 1024}, {2048, 2048, 2048}};
  if (options.quick) {
    shapes.assign(quick_sgemm_shapes.begin(), quick_sgemm_shapes.end());
    large = {{96, 768, 33}};
  }
  Rows rows;
  use_threads(1);
  for (const ProductShape &s : shapes)
    if (options.wants(case_name("sgemm", s)))
      rows.push_back(one_thread(s, code.function<OurSgemm>("sgemm"), peers, effort));
  if (options.automatic)
    return rows; // which are for one thread
  if (use_threads(2)) {
    SharedObject parallel = SharedObject::from_example("sgemm", {{"sgemm"}, "threads,avx2_threads"});
    for (const ProductShape &s : large)
      if (options.wants(case_name("sgemm", s) + ", two threads"))
        two_threads(s, parallel.function<OurSgemm>("sgemm"), peers, effort, rows);
  } else {
    fmt::print(stderr, "there are not two threads here: nothing is measured with two\n");
  }
  return rows;
}

Rows sweep_suite(const Options &options) {
  Options automatic = options;
  automatic.automatic = true;
  SharedObject code = SharedObject::from_example("sgemm", chosen(automatic, {"sgemm"}, ""));
  const std::vector<SgemmPeer> peers = sgemm_peers();
  const Effort effort = options.quick ? options.effort(3) : Effort{7, 500};
  use_threads(1);
  Rows rows;
  for (const ProductShape &s : random_shapes(options.quick ? quick_sweep_shapes : sweep_shapes))
    if (options.wants(case_name("sgemm", s))) {
      Row row = one_thread(s, code.function<OurSgemm>("sgemm"), peers, effort);
      row.suite = "sweep";
      rows.push_back(std::move(row));
    }
  return rows;
}

} // namespace atl::bench
