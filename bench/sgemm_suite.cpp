// examples/sgemm against the libraries of the machine, on one thread: squares, and the shapes at which
// libraries are weak. Every result is compared with the first peer's before anything is measured.
#include "bench/blas_peers.h"
#include "bench/peak.h"
#include "bench/row.h"
#include "bench/shared_object.h"

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

} // namespace

std::vector<Row> sgemm_suite(const Options &options) {
  SharedObject code = SharedObject::from_example("sgemm");
  auto ours =
      code.function<int(std::int64_t, std::int64_t, std::int64_t, const float *, const float *, float *)>(
          "sgemm_fast");
  const std::vector<SgemmPeer> peers = sgemm_peers();
  stay_on_this_cpu();
  std::vector<Row> rows;
  std::vector<Shape> chosen(shapes.begin(), shapes.end());
  if (options.quick)
    chosen.assign(quick_shapes.begin(), quick_shapes.end());
  for (const Shape &s : chosen) {
    std::vector<float> a = random_values(s.m * s.k), b = random_values(s.k * s.n);
    std::vector<float> out(static_cast<std::size_t>(s.m * s.n)), theirs(out.size());
    std::string name = fmt::format("sgemm {}x{}x{}", s.m, s.n, s.k);
    std::vector<Contender> contenders{{"ours", [&] { ours(s.m, s.n, s.k, a.data(), b.data(), out.data()); }}};
    for (const SgemmPeer &peer : peers)
      contenders.push_back({peer.name, [&] { peer.run(s.m, s.n, s.k, a.data(), b.data(), theirs.data()); }});
    for (const Contender &contender : contenders)
      contender.run();
    if (!peers.empty())
      require_close(name, out, theirs, s.k);
    double flops = 2 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
    contenders.push_back({"peak", [flops] { multiply_and_add(flops); }});
    std::map<std::string, double> times = measure(contenders, options.quick ? 3 : 9);
    Row row{"sgemm", name, "ms", times.at("ours"), {}, times.at("peak")};
    times.erase("ours");
    times.erase("peak");
    row.peers = times;
    rows.push_back(row);
  }
  return rows;
}

} // namespace atl::bench
