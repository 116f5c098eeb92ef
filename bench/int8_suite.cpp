// examples/int8_matmul against oneDNN, on one thread. Every result is compared with the peer's, to the bit,
// before anything is measured: of weights with 7 bits, as oneDNN adds two products in 16 bits on CPUs without
// VNNI.
#include "bench/product_peers.h"
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/sums.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>

namespace atl::bench {

namespace {

constexpr std::array int8_shapes = std::to_array<ProductShape>({{64, 64, 64},
                                                                {128, 128, 128},
                                                                {256, 256, 256},
                                                                {317, 317, 317},
                                                                {512, 512, 512},
                                                                {1024, 1024, 1024},
                                                                {128, 768, 768},
                                                                {128, 3072, 768},
                                                                {16, 2048, 2048},
                                                                {1, 2048, 2048},
                                                                {3136, 64, 576},
                                                                {196, 256, 2304}});
constexpr std::array quick_int8_shapes = std::to_array<ProductShape>({{64, 64, 64}, {40, 80, 33}});

template <class T>
std::vector<T> random_bytes(std::int64_t count) {
  std::mt19937 random(7);
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T &value : all)
    value = static_cast<T>(random());
  return all;
}

using OurProduct = int(std::int64_t, std::int64_t, std::int64_t, const std::uint8_t *, const std::int8_t *,
                       std::int32_t *);

Row one_shape(const ProductShape &s, OurProduct *ours, const Effort &effort) {
  auto a = random_bytes<std::uint8_t>(s.m * s.k);
  auto b = random_bytes<std::int8_t>(s.k * s.n);
  for (std::int8_t &weight : b)
    weight /= 2;
  std::vector<std::int32_t> out(static_cast<std::size_t>(s.m * s.n)), theirs(out.size());
  std::string name = case_name("int8", s);
  std::vector<Contender> contenders{{"ours", [&] { ours(s.m, s.n, s.k, a.data(), b.data(), out.data()); }}};
  contenders.front().run();
  for (const LayerPeer &peer :
       product_peers(BytesProduct{s.m, s.n, s.k, a.data(), b.data(), theirs.data()})) {
    peer.run();
    if (out != theirs)
      throw std::runtime_error(fmt::format("{}: {} has another result", name, peer.name));
    contenders.push_back({peer.name, peer.run});
  }
  std::map<std::string, double> times = measure(contenders, effort);
  Row row{"int8", name, "ms", times.at("ours"), {}};
  times.erase("ours");
  row.peers = times;
  return row;
}

} // namespace

Rows int8_suite(const Options &options) {
  SharedObject code = SharedObject::from_example("int8_matmul", chosen(options, {"int8_matmul"}, "fast"));
  use_threads(1);
  std::vector<ProductShape> shapes(int8_shapes.begin(), int8_shapes.end());
  if (options.quick)
    shapes.assign(quick_int8_shapes.begin(), quick_int8_shapes.end());
  Rows rows;
  for (const ProductShape &s : shapes)
    if (options.wants(case_name("int8", s)))
      rows.push_back(one_shape(s, code.function<OurProduct>("int8_matmul"), options.effort(9)));
  return rows;
}

} // namespace atl::bench
