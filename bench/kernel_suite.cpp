// The C that atlc emits against C written by hand, compiled together with the same flags. Every result is
// compared with the peer's before anything is measured.
#include "bench/row.h"

#include "bench/shared_object.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>

namespace atl::bench {

namespace {

template <class T>
std::vector<T> random_values(std::size_t count) {
  std::mt19937 random(7);
  std::vector<T> values(count);
  for (T &value : values)
    value = std::is_floating_point_v<T> ? static_cast<T>(random()) / static_cast<T>(4294967296.0)
                                        : static_cast<T>(random());
  return values;
}

template <class T>
void require_close(const std::string &name, const std::vector<T> &ours, const std::vector<T> &theirs) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    double a = static_cast<double>(ours[i]), b = static_cast<double>(theirs[i]);
    if (!(std::abs(a - b) <= 1e-4 * std::max(1.0, std::abs(b))))
      throw std::runtime_error(fmt::format("{}: element {} is {}, the peer has {}", name, i, a, b));
  }
}

Row finish(const std::string &name, const std::vector<Contender> &contenders, const Options &options) {
  std::map<std::string, double> times = measure(contenders, options.effort(15));
  double ours = times.at("ours");
  times.erase("ours");
  return {"kernels", name, "ms", ours, times};
}

struct Code {
  SharedObject ours, peers;
};

struct BlurCase {
  std::string kernel, peer;
  std::int64_t border; // how much larger the input is than the output, in each direction
};

template <class T>
Row blur(const BlurCase &c, const Code &code, const Options &options) {
  std::int64_t height = options.quick ? 240 : 1600, width = options.quick ? 320 : 2560;
  std::vector<T> img = random_values<T>(static_cast<std::size_t>((height + c.border) * (width + c.border)));
  std::vector<T> ours(static_cast<std::size_t>(height * width)), theirs(ours.size());
  auto kernel = code.ours.function<int(std::int64_t, std::int64_t, const T *, T *)>(c.kernel);
  auto peer = code.peers.function<void(std::int64_t, std::int64_t, const T *, T *)>(c.peer);
  std::vector<Contender> contenders{{"ours", [&] { kernel(height, width, img.data(), ours.data()); }},
                                    {"by hand", [&] { peer(height, width, img.data(), theirs.data()); }}};
  for (const Contender &contender : contenders)
    contender.run();
  std::string name = fmt::format("{} {}x{}", c.kernel, height, width);
  require_close(name, ours, theirs);
  return finish(name, contenders, options);
}

using Sizes = std::array<std::int64_t, 3>;
template <class Result>
using Product = Result(std::int64_t, std::int64_t, std::int64_t, const float *, const float *, float *);

Row matmul(const std::string &kernel_name, Sizes sizes, const Code &code, const Options &options) {
  auto [m, n, k] = sizes;
  std::vector<float> a = random_values<float>(static_cast<std::size_t>(m * k));
  std::vector<float> b = random_values<float>(static_cast<std::size_t>(k * n));
  std::vector<float> ours(static_cast<std::size_t>(m * n)), theirs(ours.size()), rows(ours.size());
  auto kernel = code.ours.function<Product<int>>(kernel_name);
  auto peer = code.peers.function<Product<void>>("peer_matmul");
  auto by_rows = code.peers.function<Product<void>>("peer_matmul_rows");
  std::vector<Contender> contenders{
      {"ours", [&, m = m, n = n, k = k] { kernel(m, n, k, a.data(), b.data(), ours.data()); }},
      {"by hand", [&, m = m, n = n, k = k] { peer(m, n, k, a.data(), b.data(), theirs.data()); }},
      {"by hand, along rows",
       [&, m = m, n = n, k = k] { by_rows(m, n, k, a.data(), b.data(), rows.data()); }}};
  for (const Contender &contender : contenders)
    contender.run();
  std::string name = fmt::format("{} {}x{}x{}", kernel_name, m, n, k);
  require_close(name, ours, theirs);
  return finish(name, contenders, options);
}

} // namespace

Rows kernel_suite(const Options &options) {
  use_threads(1);
  const SharedObject::Flags native = SharedObject::for_this_cpu();
  SharedObject peers =
      SharedObject::from_c(std::filesystem::path(ATLC_SOURCE_ROOT) / "bench/peers/peers.c", native);
  Code blurs{SharedObject::from_example("blur", {}, native), peers},
      products{SharedObject::from_example("matmul", {}, native), peers};
  Rows rows;
  rows.push_back(blur<std::uint8_t>({"fused_u8", "peer_blur_u8", 0}, blurs, options));
  rows.push_back(blur<std::uint8_t>({"two_stage_u8", "peer_blur_two_stage_u8", 0}, blurs, options));
  rows.push_back(blur<float>({"fused_f32", "peer_blur_f32", 2}, blurs, options));
  rows.push_back(blur<float>({"two_stage_f32", "peer_blur_two_stage_f32", 2}, blurs, options));
  std::vector<Sizes> sizes{{64, 64, 64}, {397, 211, 305}};
  if (!options.quick)
    sizes.push_back({512, 512, 512});
  for (const Sizes &size : sizes)
    for (const std::string kernel : {"matmul", "matmul_tiled", "matmul_tails"})
      rows.push_back(matmul(kernel, size, products, options));
  return rows;
}

} // namespace atl::bench
