#include "driver/tune/measure.h"

#include "cbackend/host/native.h"
#include "driver/io/infer_sizes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace atl::driver {

namespace {

using cbackend::NativeCall;
using Clock = std::chrono::steady_clock;

Tensor drawn(Elem elem, std::vector<std::int64_t> shape, std::mt19937 &random) {
  Tensor tensor = make_tensor(elem, std::move(shape));
  constexpr std::int64_t steps = 64; // to each side of 0, so that many sums are exact
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const std::int64_t number = static_cast<std::int64_t>(random()) % (2 * steps) - steps;
    tensor.set(i, is_float(elem) ? make_real(elem, static_cast<double>(number) / steps)
                                 : make_integer(elem, number));
  }
  return tensor;
}

// C that was read back and compiled, ready to be called.
Result<NativeCall> call_of(const Compiled &kernel, const std::string &name, const Inputs &inputs,
                           proofs::Prover &prover) {
  lowering::LoopKernel loops = *kernel.loops;
  loops.name = name;
  const Library library = make_library(cbackend::native_library, {std::move(loops)}, prover);
  if (!library.ok())
    return library.problems;
  auto native = cbackend::NativeLibrary::compile_library(library.kernels, library.c);
  if (!native)
    return native.errors();
  return native->prepare(name, inputs.sizes, inputs.tensors);
}

double seconds_of(NativeCall &call, std::size_t times) {
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < times; ++i)
    call.run();
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(times);
}

double median_of(NativeCall &call, double once) {
  constexpr double batch = 2e-3, all = 0.3;
  const auto times = static_cast<std::size_t>(std::clamp(batch / once, 1.0, 1e5));
  const auto batches =
      static_cast<std::size_t>(std::clamp(all / (once * static_cast<double>(times)), 3.0, 15.0));
  std::vector<double> seconds;
  for (std::size_t i = 0; i < batches; ++i)
    seconds.push_back(seconds_of(call, times));
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(batches / 2),
                   seconds.end());
  return seconds[batches / 2];
}

// Of what is rounded in another way; relative to the largest number of the tensor.
double tolerance(Elem elem) {
  return byte_size(elem) >= 8 ? 1e-9 : byte_size(elem) >= 4 ? 1e-3 : 1e-1;
}

bool is_near(const Tensor &found, const Tensor &expected) {
  if (!is_float(expected.elem))
    return same_bits(found, expected);
  double largest = 0;
  for (std::int64_t i = 0; i < expected.element_count(); ++i)
    if (const double value = std::abs(expected.get(i).real); std::isfinite(value))
      largest = std::max(largest, value);
  for (std::int64_t i = 0; i < expected.element_count(); ++i) {
    const double a = found.get(i).real, b = expected.get(i).real;
    const bool is_same = a == b || (std::isnan(a) && std::isnan(b));
    if (!is_same && !(std::abs(a - b) <= tolerance(expected.elem) * largest))
      return false;
  }
  return true;
}

std::optional<Diagnostic> differs(const Compiled &scheduled, const Tensors &found, const Tensors &expected) {
  for (const auto &[name, tensor] : expected)
    if (scheduled.laws.empty() ? !same_bits(found.at(name), tensor) : !is_near(found.at(name), tensor))
      return Diagnostic{Code::not_equal,
                        std::nullopt,
                        fmt::format("{} of {} under {} is not what the kernel computes as it is written",
                                    name, scheduled.name, scheduled.schedule),
                        {}};
  return std::nullopt;
}

} // namespace

Result<Inputs> drawn_inputs(const TypedKernel &algorithm, const Valuation &given) {
  auto sizes = infer_sizes(algorithm, given, {});
  if (!sizes)
    return sizes.errors();
  Inputs inputs{std::move(*sizes), {}};
  std::mt19937 random(1);
  try {
    for (const Param &param : algorithm.params) {
      if (param.kind == Param::Kind::size)
        continue;
      std::vector<std::int64_t> shape;
      for (const Index &extent : param.type.shape)
        shape.push_back(evaluate(extent, inputs.sizes).value_or(0));
      inputs.tensors[param.name] = drawn(param.type.elem, std::move(shape), random);
    }
  } catch (const std::exception &) { // bad_alloc, length_error
    return Diagnostic{Code::out_of_memory, {}, "there is not enough memory for the inputs", {}};
  }
  return inputs;
}

Result<Stopwatch> Stopwatch::make(const Compiled &written, Inputs inputs, proofs::Prover &prover) {
  Stopwatch made;
  made.inputs_ = std::make_shared<const Inputs>(std::move(inputs));
  made.name_ = written.name;
  auto call = call_of(written, made.name_, *made.inputs_, prover);
  if (!call)
    return call.errors();
  const Clock::time_point start = Clock::now();
  if (auto refused = call->run())
    return *refused;
  made.as_written_ = std::chrono::duration<double>(Clock::now() - start).count();
  made.expected_ = std::move(call->results());
  return made;
}

Result<double> Stopwatch::measure(const Compiled &scheduled, proofs::Prover &prover,
                                  std::optional<double> best) {
  auto call = call_of(scheduled, name_, *inputs_, prover);
  if (!call)
    return call.errors();
  if (auto refused = call->run())
    return *refused;
  if (auto problem = differs(scheduled, call->results(), expected_))
    return *problem;
  const double once = std::max(seconds_of(*call, 1), 1e-9);
  constexpr double hopeless = 3;
  return best && once > hopeless * *best ? once : median_of(*call, once);
}

} // namespace atl::driver
