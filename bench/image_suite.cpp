// examples/pipelines against Halide 14, on one thread and on two. Every result is compared with Halide's
// before anything is measured: integers to the bit.
#include "bench/halide_peers.h"
#include "bench/row.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <type_traits>

namespace atl::bench {

namespace {

// A kernel whose input is larger than its result by `more` in both directions.
struct Pipeline {
  const char *kernel, *peer, *name;
  std::int64_t more, planes, planes_out;
};
constexpr std::array integers{Pipeline{"blur", "peer_blur", "blur u16", 2, 1, 1},
                              Pipeline{"stencil", "peer_stencil", "stencil u16", 4, 1, 1}};
// 32 stages: four calls of a kernel with 8, which needs 32 more pixels in both directions than it gives.
constexpr Pipeline chain{"stencils", "peer_stencils", "32 stencils u16", 128, 1, 1};
constexpr int calls = 4;
constexpr std::array floats{Pipeline{"unsharp", "peer_unsharp", "unsharp f32 x 3", 6, 3, 3},
                            Pipeline{"harris", "peer_harris", "harris f32", 4, 3, 1}};

using Run = int(std::int64_t, std::int64_t, const void *, void *);
using Threads = void(int);

template <class T>
std::vector<T> random_picture(std::int64_t count) {
  std::mt19937 random(7);
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T &value : all)
    if constexpr (std::is_floating_point_v<T>)
      value = std::uniform_real_distribution<T>(T(0.1), 1)(random);
    else
      value = static_cast<T>(random());
  return all;
}

template <class T>
void require_same(const std::string &name, const std::vector<T> &ours, const std::vector<T> &theirs) {
  const double tolerance = std::is_floating_point_v<T> ? 1e-5 : 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i])) <= tolerance))
      throw std::runtime_error(
          fmt::format("{}: element {} is {}, the peer has {}", name, i, ours[i], theirs[i]));
}

class ImageSuite {
public:
  explicit ImageSuite(const Options &options)
      : options_(options),
        code_(SharedObject::from_example(
            "pipelines", chosen(options, {"blur", "unsharp", "harris", "stencil", "stencils"}, "fast,avx2"))),
        halide_{halide_peers(), halide_peers()} {}

  Rows rows;

  template <class T>
  void add(const Pipeline &p) {
    const std::int64_t h = options_.quick ? 400 : 1600,
                       w = options_.quick ? 640 : 2560; // at least a tile of Halide
    const std::vector<T> img = random_picture<T>(p.planes * (h + p.more) * (w + p.more));
    std::vector<T> out(static_cast<std::size_t>(p.planes_out * h * w)), theirs(out.size());
    std::function<Run> kernel = code_.function<Run>(p.kernel);
    if (p.name == chain.name)
      kernel = chained(code_.function<Run>(p.kernel), h, w);
    for (int threads : {1, 2}) {
      std::string name = fmt::format("{} {}x{}, {} thread{}", p.name, w, h, threads, threads > 1 ? "s" : "");
      const bool has_schedule = threads == 1 || !options_.automatic;
      if (!has_schedule || !options_.wants(name) || !use_threads(threads))
        continue;
      const std::optional<SharedObject> &halide = halide_.at(static_cast<std::size_t>(threads - 1));
      std::vector<Contender> contenders{{"ours", [&] { kernel(h, w, img.data(), out.data()); }}};
      Run *peer = halide ? halide->function<Run>(p.peer) : nullptr;
      if (peer) {
        halide->function<Threads>("peer_threads")(threads);
        contenders.push_back({"Halide 14", [&] { peer(h, w, img.data(), theirs.data()); }});
      }
      for (const Contender &contender : contenders)
        contender.run();
      if (peer)
        require_same(name, out, theirs);
      std::map<std::string, double> times = measure(contenders, options_.effort(15));
      Row row{"images", name, "ms", times.at("ours"), {}};
      times.erase("ours");
      row.peers = times;
      rows.push_back(row);
    }
  }

private:
  static std::function<Run> chained(Run *stage, std::int64_t h, std::int64_t w) {
    std::vector<std::vector<std::uint16_t>> between;
    static constexpr std::int64_t step = chain.more / calls;
    for (std::int64_t more = chain.more - step; more > 0; more -= step)
      between.emplace_back(static_cast<std::size_t>((h + more) * (w + more)));
    return [stage, between](std::int64_t height, std::int64_t width, const void *in, void *out) mutable {
      for (std::size_t i = 0; i < calls; ++i) {
        const std::int64_t more = chain.more - static_cast<std::int64_t>(i + 1) * step;
        void *to = more == 0 ? out : between[i].data();
        if (int error = stage(height + more, width + more, in, to); error != 0)
          return error;
        in = to;
      }
      return 0;
    };
  }

  const Options &options_;
  SharedObject code_;
  // One that has run on one thread only, which its threads do not leave, and one for two.
  std::array<std::optional<SharedObject>, 2> halide_;
};

} // namespace

Rows image_suite(const Options &options) {
  ImageSuite suite(options);
  for (const Pipeline &p : integers)
    suite.add<std::uint16_t>(p);
  suite.add<std::uint16_t>(chain);
  for (const Pipeline &p : floats)
    suite.add<float>(p);
  return std::move(suite.rows);
}

} // namespace atl::bench
