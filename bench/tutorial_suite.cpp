// The steps of docs/tutorial.md, in turn in one run: each schedule of docs/tutorial/*.atl in the order of the
// file, and behind them the schedule of the examples that the tutorial leads to. Every result is compared
// with the first before anything is measured.
#include "bench/dnn_peers.h"
#include "bench/halide_peers.h"
#include "bench/peak.h"
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/sums.h"
#include "bench/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace atl::bench {

namespace {

namespace fs = std::filesystem;

struct Tutorial {
  std::string kernel;   // of docs/tutorial/KERNEL.atl
  std::string example;  // examples/EXAMPLE has the end of the story
  std::string schedule; // under this
};

// A version of the kernel; the code stays loaded as long as this is there.
struct Version {
  std::string name;
  SharedObject code;
};

std::vector<Version> versions_of(const Tutorial &tutorial) {
  const fs::path program = fs::path(ATLC_SOURCE_ROOT) / "docs/tutorial" / (tutorial.kernel + ".atl");
  proofs::Prover prover;
  const driver::Compilation parsed = driver::compile(program, prover, driver::Until::parsed);
  if (!parsed.program)
    throw std::runtime_error(fmt::format("{} cannot be read", program.string()));
  std::vector<Version> versions{
      {"no schedule", SharedObject::from_program(program, {{tutorial.kernel}, ""})}};
  for (const Schedule &schedule : parsed.program->schedules)
    versions.push_back(
        {schedule.name, SharedObject::from_program(program, {{tutorial.kernel}, schedule.name})});
  versions.push_back({fmt::format("{} of examples/{}", tutorial.schedule, tutorial.example),
                      SharedObject::from_example(tutorial.example, {{tutorial.kernel}, tutorial.schedule})});
  return versions;
}

// Runs all once; each leaves its result in `out`.
void require_same_results(const std::vector<Contender> &contenders, std::vector<float> &out,
                          double tolerance) {
  contenders.front().run();
  const std::vector<float> first = out;
  for (const Contender &contender : contenders) {
    std::fill(out.begin(), out.end(), 0.0F);
    contender.run();
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!(std::abs(out[i] - first[i]) <= tolerance * std::max(1.0F, std::abs(first[i]))))
        throw std::runtime_error(fmt::format("{}: element {} is {}, without a schedule it is {}",
                                             contender.name, i, out[i], first[i]));
  }
}

// The versions in their order, each with the peers.
void add_rows(const std::string &title, const std::vector<Version> &versions,
              const std::map<std::string, double> &times, Rows &rows) {
  std::map<std::string, double> peers = times;
  for (const Version &version : versions)
    peers.erase(version.name);
  peers.erase("peak");
  const double limit = times.contains("peak") ? times.at("peak") : 0;
  for (const Version &version : versions)
    rows.push_back({"tutorial", title + ": " + version.name, "ms", times.at(version.name), peers, limit});
}

using Conv = int(std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                 std::int64_t, const float *, const float *, const float *, float *);

void conv(const Options &options, Rows &rows) {
  const ConvShape s =
      options.quick ? ConvShape{1, 8, 28, 16, 32, 3, 3} : ConvShape{4, 28, 28, 128, 128, 3, 3};
  const std::vector<Version> versions = versions_of({"conv", "layers", "fast"});
  const std::vector<float> x = uniform_values(s.n * s.rows() * s.columns() * s.c, 0.1F, 1),
                           w = uniform_values(s.r * s.s * s.c * s.k, 0.1F, 1),
                           bias = uniform_values(s.k, 0.1F, 1);
  std::vector<float> out(static_cast<std::size_t>(s.n * s.h * s.w * s.k));
  std::vector<Contender> contenders;
  for (const Version &version : versions)
    contenders.push_back({version.name, [&, kernel = version.code.function<Conv>("conv")] {
                            kernel(s.n, s.h, s.w, s.c, s.k, s.r, s.s, x.data(), w.data(), bias.data(),
                                   out.data());
                          }});
  for (const LayerPeer &peer : conv_peers(s, {x.data(), w.data(), bias.data(), out.data()}))
    if (peer.name == "oneDNN") // the other has another algorithm
      contenders.push_back({peer.name, peer.run});
  require_same_results(contenders, out, 1e-4);
  contenders.push_back(peak(s.flops()));
  add_rows("conv", versions, measure(contenders, options.effort(9)), rows);
}

using Unsharp = int(std::int64_t, std::int64_t, const float *, float *);
using HalideRun = int(std::int64_t, std::int64_t, const void *, void *);

void unsharp(const Options &options, Rows &rows) {
  const std::int64_t h = options.quick ? 400 : 1600, w = options.quick ? 640 : 2560;
  const std::vector<Version> versions = versions_of({"unsharp", "pipelines", "fast"});
  const std::vector<float> img = uniform_values(3 * (h + 6) * (w + 6), 0.1F, 1);
  std::vector<float> out(static_cast<std::size_t>(3 * h * w));
  std::vector<Contender> contenders;
  for (const Version &version : versions)
    contenders.push_back({version.name, [&, kernel = version.code.function<Unsharp>("unsharp")] {
                            kernel(h, w, img.data(), out.data());
                          }});
  const std::optional<SharedObject> halide = halide_peers();
  if (halide) {
    halide->function<void(int)>("peer_threads")(1);
    contenders.push_back({"Halide 14", [&, peer = halide->function<HalideRun>("peer_unsharp")] {
                            peer(h, w, img.data(), out.data());
                          }});
  }
  require_same_results(contenders, out, 1e-4);
  add_rows("unsharp", versions, measure(contenders, options.effort(9)), rows);
}

} // namespace

Rows tutorial_suite(const Options &options) {
  use_threads(1);
  Rows rows;
  if (options.wants("conv"))
    conv(options, rows);
  if (options.wants("unsharp"))
    unsharp(options, rows);
  return rows;
}

} // namespace atl::bench
