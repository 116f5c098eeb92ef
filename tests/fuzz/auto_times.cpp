#include "fuzz/auto_times.h"

#include "cbackend/host/native.h"
#include "fuzz/inputs.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>

namespace atl::fuzz {

namespace {

using cbackend::NativeCall;
using Clock = std::chrono::steady_clock;

constexpr double batch_seconds = 1e-3;
constexpr int rounds = 15;

template <class T>
T taken(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.errors()[0].message);
  return std::move(*result);
}

double seconds_of(NativeCall &call, std::size_t times) {
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < times; ++i)
    if (auto refused = call.run())
      throw std::runtime_error(refused->message);
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(times);
}

void check_same(const Tensors &expected, const Tensors &actual, const std::string &name) {
  for (const auto &[output, tensor] : expected)
    if (!same_bits(tensor, actual.at(output)))
      throw std::runtime_error(
          fmt::format("{}: another {}: {}", name, output, first_difference(tensor, actual.at(output))));
}

} // namespace

std::vector<Times> compare_times(const lowering::LoopKernel &written,
                                 const std::vector<lowering::LoopKernel> &others, const Run &run) {
  setenv("OMP_NUM_THREADS", "1", 1);
  std::vector<lowering::LoopKernel> kernels{written};
  kernels.insert(kernels.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < kernels.size(); ++i)
    kernels[i].name = fmt::format("k{}", i);
  const auto library = taken(cbackend::NativeLibrary::compile(kernels));
  std::vector<NativeCall> calls;
  for (const lowering::LoopKernel &kernel : kernels)
    calls.push_back(taken(library.prepare(kernel.name, run.sizes, run.inputs)));
  const double once = seconds_of(calls[0], 2);
  const auto times = static_cast<std::size_t>(std::clamp(batch_seconds / once, 1.0, 1e5));
  std::vector<double> best(calls.size(), 1e9);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < calls.size(); ++i)
      best[i] = std::min(best[i], seconds_of(calls[i], times));
  std::vector<Times> result;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    check_same(calls[0].results(), calls[i].results(), kernels[i].name);
    result.push_back({best[0], best[0] / best[i]});
  }
  return result;
}

} // namespace atl::fuzz
