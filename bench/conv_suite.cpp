// examples/layers against oneDNN, on one thread: direct convolutions, and in rows of their own Winograd's
// algorithm; the separable one against Halide's, too. Every result is compared with the peer's before
// anything is measured.
#include "bench/dnn_peers.h"
#include "bench/halide_peers.h"
#include "bench/peak.h"
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/sums.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace atl::bench {

namespace {

struct Layer {
  const char *name;
  ConvShape shape;
};

constexpr std::array layers{
    Layer{"conv 3x3 5x80x100 128->128", {5, 80, 100, 128, 128, 3, 3}},
    Layer{"conv 3x3 4x56x56 64->64", {4, 56, 56, 64, 64, 3, 3}},
    Layer{"conv 3x3 4x28x28 128->128", {4, 28, 28, 128, 128, 3, 3}},
    Layer{"conv 3x3 4x14x14 256->256", {4, 14, 14, 256, 256, 3, 3}},
    Layer{"conv 3x3 4x7x7 512->512", {4, 7, 7, 512, 512, 3, 3}},
    Layer{"conv 1x1 4x56x56 64->256", {4, 56, 56, 64, 256, 1, 1}},
    Layer{"conv 1x1 4x28x28 512->128", {4, 28, 28, 512, 128, 1, 1}},
    Layer{"conv 3x3 stride 2 4x28x28 128->128", {4, 28, 28, 128, 128, 3, 3, 2}},
};
constexpr std::array quick_layers{Layer{"conv 3x3 1x16x20 16->48", {1, 16, 20, 16, 48, 3, 3}}};

// Runs all once, compares, measures.
Row compare(const std::string &name, double flops, std::vector<Contender> contenders,
            const std::function<void(const std::string &peer)> &check, const Options &options) {
  contenders.front().run();
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    contenders[i].run();
    check(contenders[i].name);
  }
  contenders.push_back(peak(flops));
  std::map<std::string, double> times = measure(contenders, options.effort(9));
  Row row{"conv", name, "ms", times.at("ours"), {}, times.at("peak")};
  times.erase("ours");
  times.erase("peak");
  row.peers = times;
  return row;
}

using Conv = int(std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                 std::int64_t, const float *, const float *, const float *, float *);

// The direct peers; Winograd's algorithm needs fewer operations, and has a row of its own.
void add_conv(const Layer &layer, const SharedObject &code, const Options &options, Rows &rows) {
  const ConvShape &s = layer.shape;
  std::vector<float> x = uniform_values(s.n * s.rows() * s.columns() * s.c, -1, 1),
                     w = uniform_values(s.r * s.s * s.c * s.k, -1, 1), bias = uniform_values(s.k, -1, 1);
  std::vector<float> out(static_cast<std::size_t>(s.n * s.h * s.w * s.k)), theirs(out.size());
  auto kernel = code.function<Conv>(s.stride == 2 ? "conv_strided" : "conv");
  const Contender ours{
      "ours",
      [&] { kernel(s.n, s.h, s.w, s.c, s.k, s.r, s.s, x.data(), w.data(), bias.data(), out.data()); }};
  auto check = [&](const std::string &peer) {
    require_close_sums(layer.name, out, theirs, s.r * s.s * s.c, peer == "oneDNN" ? 1 : 10);
  };
  std::vector<Contender> direct{ours}, winograd{ours};
  for (const LayerPeer &peer : conv_peers(s, {x.data(), w.data(), bias.data(), theirs.data()}))
    (peer.name == "oneDNN" ? direct : winograd).push_back({peer.name, peer.run});
  rows.push_back(compare(layer.name, s.flops(), direct, check, options));
  if (winograd.size() > 1)
    rows.push_back(compare(fmt::format("{}, Winograd", layer.name), s.flops(), winograd, check, options));
}

using Separable = int(std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, const float *,
                      const float *, const float *, const float *, float *);

void add_separable(const Layer &layer, const SharedObject &code, const std::optional<SharedObject> &halide,
                   const Options &options, Rows &rows) {
  const ConvShape &s = layer.shape;
  std::vector<float> x = uniform_values(s.n * s.rows() * s.columns() * s.c, -1, 1),
                     depth = uniform_values(s.r * s.s * s.c, -1, 1), w = uniform_values(s.c * s.k, -1, 1),
                     bias = uniform_values(s.k, -1, 1);
  std::vector<float> out(static_cast<std::size_t>(s.n * s.h * s.w * s.k)), theirs(out.size());
  auto kernel = code.function<Separable>("separable");
  std::vector<Contender> contenders{
      {"ours",
       [&] { kernel(s.n, s.h, s.w, s.c, s.k, x.data(), depth.data(), w.data(), bias.data(), out.data()); }}};
  for (const LayerPeer &peer :
       separable_peers(s, {x.data(), depth.data(), w.data(), bias.data(), theirs.data()}))
    contenders.push_back({peer.name, peer.run});
  if (halide) {
    auto fused = halide->function<Separable>("peer_separable");
    contenders.push_back({"Halide 14", [&s, &x, &depth, &w, &bias, &theirs, fused] {
                            fused(s.n, s.h, s.w, s.c, s.k, x.data(), depth.data(), w.data(), bias.data(),
                                  theirs.data());
                          }});
  }
  double flops = 2 * static_cast<double>(s.n * s.h * s.w * s.c) * static_cast<double>(s.k + s.r * s.s);
  auto check = [&](const std::string &) { require_close_sums(layer.name, out, theirs, s.r * s.s * s.c, 10); };
  rows.push_back(compare(layer.name, flops, contenders, check, options));
}

} // namespace

Rows conv_suite(const Options &options) {
  SharedObject code = SharedObject::from_example(
      "layers", chosen(options, {"conv", "conv_strided", "separable"}, "fast,avx2"));
  use_threads(1);
  Rows rows;
  std::vector<Layer> cases(layers.begin(), layers.end());
  if (options.quick)
    cases.assign(quick_layers.begin(), quick_layers.end());
  for (const Layer &layer : cases)
    if (options.wants(layer.name))
      add_conv(layer, code, options, rows);
  const Layer separable{"separable 3x3 4x112x112 32->16", {4, 112, 112, 32, 16, 3, 3}};
  const Layer small{"separable 3x3 1x14x20 16->24", {1, 14, 20, 16, 24, 3, 3}};
  const std::optional<SharedObject> halide = halide_peers();
  if (halide)
    halide->function<void(int)>("peer_threads")(1);
  const Layer &fused = options.quick ? small : separable;
  if (options.wants(fused.name))
    add_separable(fused, code, halide, options, rows);
  return rows;
}

} // namespace atl::bench
