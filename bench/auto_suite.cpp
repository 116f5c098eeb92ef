// What atlc makes of kernels by itself: against the schedules of the examples, which were written by hand,
// and, for kernels that have none, against their loops as they are written. One thread. Every result is
// compared with the peer's before anything is measured.
#include "bench/row.h"
#include "bench/shared_object.h"
#include "bench/threads.h"
#include "cbackend/host/native.h"
#include "cbackend/host/temp_folder.h"
#include "driver/commands/selection.h"
#include "driver/functions.h"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace atl::bench {

namespace {

namespace fs = std::filesystem;

struct Subject {
  const char *program, *kernel;
  std::string schedules; // by hand
  std::vector<Valuation> sizes;
};

std::vector<Subject> by_hand() {
  const std::vector<Valuation> squares{{{"M", 256}, {"N", 256}, {"K", 256}},
                                       {{"M", 397}, {"N", 211}, {"K", 305}}};
  const std::vector<Valuation> layers{
      {{"N", 1}, {"H", 28}, {"W", 28}, {"C", 64}, {"K", 64}, {"R", 3}, {"S", 3}},
      {{"N", 1}, {"H", 14}, {"W", 14}, {"C", 200}, {"K", 100}, {"R", 1}, {"S", 1}},
      {{"N", 1}, {"H", 7}, {"W", 7}, {"C", 512}, {"K", 512}, {"R", 3}, {"S", 3}},
      {{"N", 1}, {"H", 56}, {"W", 56}, {"C", 64}, {"K", 256}, {"R", 1}, {"S", 1}},
      {{"N", 1}, {"H", 1}, {"W", 1}, {"C", 512}, {"K", 1000}, {"R", 1}, {"S", 1}}};
  const std::vector<Valuation> rows{{{"N", 256}, {"M", 1000}}, {{"N", 1000}, {"M", 77}}};
  const std::vector<Valuation> pictures{{{"H", 1080}, {"W", 1920}}, {{"H", 333}, {"W", 500}}};
  const std::vector<Valuation> pools{{{"N", 1}, {"H", 56}, {"W", 56}, {"C", 64}, {"R", 3}, {"S", 3}}};
  return {{"sgemm", "sgemm", "fast,avx2", squares},
          {"sgemm", "sgemm_at", "fast", squares},
          {"sgemm", "dgemm", "fast", squares},
          {"int8_matmul", "int8_matmul", "fast", squares},
          {"blas", "sdot", "fast,avx2", {{{"N", 10000}}}},
          {"blas", "sgemv", "fast,avx2", {{{"M", 1000}, {"N", 1000}}, {{"M", 100}, {"N", 5000}}}},
          {"layers", "conv", "fast,avx2", layers},
          {"layers", "conv_strided", "fast,avx2", {layers[0]}},
          {"norms", "exponential", "fast", {{{"N", 100000}}}},
          {"norms", "softmax", "fast", rows},
          {"norms", "layer_norm", "fast,avx2", rows},
          {"norms", "max_pool", "fast,avx2", pools},
          {"norms", "max_pool_u8", "fast", pools},
          {"pipelines", "blur", "fast,avx2", pictures},
          {"pipelines", "unsharp", "fast,avx2", pictures},
          {"pipelines", "harris", "fast,avx2", pictures},
          {"pipelines", "stencil", "fast,avx2", pictures},
          {"pipelines", "stencils", "fast,avx2", pictures}};
}

// Of tests/native/programs: no strategy was written for these.
std::vector<Subject> as_written() {
  const std::vector<Valuation> rows{{{"N", 500}, {"M", 1000}}};
  return {
      {"held_out", "attention", "none", {{{"N", 384}, {"D", 64}}}},
      {"held_out", "l2_rows", "none", rows},
      {"held_out", "variance", "none", rows},
      {"held_out", "normalise_bits", "none", rows},
      {"held_out", "depthwise", "none", {{{"H", 56}, {"W", 56}, {"C", 128}}}},
      {"held_out", "batch", "none", {{{"B", 12}, {"M", 128}, {"N", 128}, {"K", 64}}}},
      {"held_out", "column_sums", "none", rows},
      {"held_out", "row_sums", "none", rows},
      {"held_out", "transposed", "none", {{{"N", 1000}, {"M", 1000}}}},
      {"held_out", "outer", "none", rows},
      {"held_out", "saxpy", "none", {{{"N", 10000}}}},
      {"held_out", "mean3", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out", "argless_max", "none", {{{"N", 100000}}}},
      {"held_out", "gram", "none", {{{"N", 256}, {"K", 256}}}},
      {"held_out", "relu_layer", "none", {{{"B", 64}, {"I", 512}, {"O", 512}}}},
      {"held_out", "sobel", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out", "quantized", "none", {{{"M", 256}, {"N", 256}, {"K", 256}}}},
      {"held_out", "l1_distance", "none", {{{"N", 200}, {"M", 200}, {"D", 64}}}},
      {"held_out", "conv1d", "none", {{{"N", 1000}, {"K", 5}, {"C", 32}, {"O", 64}}}},
      {"held_out", "bias_scale", "none", {{{"N", 1000}, {"C", 256}}}},
      {"held_out", "thresh", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out", "gray", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out", "blend", "none", {{{"N", 1000000}}}},
      {"held_out_networks", "rms_norm", "none", {{{"N", 512}, {"D", 768}}}},
      {"held_out_networks", "batch_norm", "none", {{{"N", 4}, {"H", 28}, {"W", 28}, {"C", 64}}}},
      {"held_out_networks", "max_pool2", "none", {{{"N", 2}, {"H", 28}, {"W", 28}, {"C", 64}}}},
      {"held_out_networks", "mean_pool2_planes", "none", {{{"N", 2}, {"C", 32}, {"H", 28}, {"W", 28}}}},
      {"held_out_networks", "global_pool", "none", {{{"N", 8}, {"H", 14}, {"W", 14}, {"C", 256}}}},
      {"held_out_networks", "conv_planes", "none", {{{"N", 1}, {"C", 32}, {"F", 64}, {"H", 56}, {"W", 56}}}},
      {"held_out_networks", "conv_same", "none", {{{"H", 56}, {"W", 56}, {"C", 32}, {"F", 64}}}},
      {"held_out_networks", "heads", "none", {{{"B", 4}, {"N", 256}, {"D", 64}}}},
      {"held_out_networks", "mlp", "none", {{{"B", 64}, {"I", 512}, {"H", 1024}, {"O", 256}}}},
      {"held_out_networks", "lstm_gates", "none", {{{"B", 64}, {"I", 256}, {"H", 256}}}},
      {"held_out_networks", "rope", "none", {{{"N", 512}, {"H", 64}}}},
      {"held_out_networks", "layer_i8", "none", {{{"M", 256}, {"N", 256}, {"K", 512}}}},
      {"held_out_networks", "pairwise", "none", {{{"N", 300}, {"M", 400}, {"D", 64}}}},
      {"held_out_networks", "nearest", "none", {{{"N", 300}, {"M", 400}, {"D", 64}}}},
      {"held_out_networks", "covariance", "none", {{{"N", 1000}, {"D", 128}}}},
      {"held_out_networks", "jacobi", "none", {{{"H", 512}, {"W", 512}}}},
      {"held_out_networks", "heat", "none", {{{"X", 96}, {"Y", 96}, {"Z", 96}}}},
      {"held_out_networks", "luma", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_networks", "erode", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_networks", "to_channels_last", "none", {{{"N", 4}, {"C", 64}, {"H", 56}, {"W", 56}}}},
      {"held_out_networks", "complex_product", "none", {{{"N", 100000}}}},
      {"held_out_reductions", "cosine", "none", rows},
      {"held_out_reductions", "cosine_bits", "none", rows},
      {"held_out_reductions", "similarity", "none", {{{"N", 200}, {"M", 200}, {"D", 64}}}},
      {"held_out_reductions", "bilinear", "none", rows},
      {"held_out_reductions", "gated", "none", {{{"N", 200}, {"M", 200}, {"K", 200}}}},
      {"held_out_reductions", "spread", "none", {{{"N", 100000}}}},
      {"held_out_reductions", "extent", "none", rows},
      {"held_out_periods", "twice_as_large", "none", {{{"H", 400}, {"W", 400}}}},
      {"held_out_periods", "between", "none", {{{"N", 100000}}}},
      {"held_out_periods", "three_channels", "none", {{{"N", 100000}}}},
      {"held_out_periods", "bayer", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_conversions", "quantize", "none", rows},
      {"held_out_conversions", "dequantize", "none", rows},
      {"held_out_conversions", "brighter", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_conversions", "louder", "none", {{{"N", 100000}}}},
      {"held_out_steps", "mirrored", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_steps", "half", "none", {{{"H", 360}, {"W", 640}}}},
      {"held_out_steps", "half_bytes", "none", {{{"H", 360}, {"W", 640}}}},
      {"held_out_steps", "max_pool", "none", {{{"C", 64}, {"H", 56}, {"W", 56}}}},
      {"held_out_steps", "grey", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_steps", "planes", "none", {{{"H", 720}, {"W", 1280}}}},
      {"held_out_steps", "norms", "none", {{{"N", 100000}}}},
      {"held_out_steps", "distances", "none", {{{"N", 500}}}},
      {"held_out_steps", "energy", "none", {{{"N", 100000}}}},
      {"held_out_wraps", "periodic", "none", {{{"H", 512}, {"W", 512}}}},
      {"held_out_wraps", "two_sides", "none", {{{"N", 100000}}}},
      {"held_out_wraps", "smooth", "none", {{{"N", 100000}}}}};
}

fs::path program_of(const Subject &subject) {
  const fs::path root = ATLC_SOURCE_ROOT;
  const std::string name = subject.program;
  return name.starts_with("held_out") ? root / "tests/native/programs" / (name + ".atl")
                                      : root / "examples" / name / (name + ".atl");
}

using Call = int(const std::int64_t *sizes, void *const *inputs, void *const *outputs);

// One function of a program, under some schedules.
struct Version {
  TypedKernel algorithm;
  SharedObject code;
  Call *call;
};

Version load(const Subject &subject, const driver::Choice &choice) {
  proofs::Prover prover;
  const driver::Compilation c = driver::compile(program_of(subject), prover, driver::Until::proved, choice);
  if (!c.ok())
    throw std::runtime_error(render(c.diagnostics.front(), c.sources));
  const auto chosen = driver::choose(c, choice);
  const auto functions = chosen ? driver::functions_of(*chosen, c, choice) : chosen.errors();
  if (!functions)
    throw std::runtime_error(functions.errors().front().message);
  const auto folder = cbackend::TempFolder::create(fs::temp_directory_path());
  if (!folder)
    throw std::runtime_error(folder.errors().front().message);
  const fs::path source = folder->path() / "kernels.c";
  if (const auto written = cbackend::write_text(source, cbackend::emit_callable_source(*functions)); !written)
    throw std::runtime_error(written.errors().front().message);
  const SharedObject code = SharedObject::from_c(source);
  return {chosen->front()->algorithm, code, code.function<Call>(std::string("atl_call_") + subject.kernel)};
}

Tensor tensor_of(const Type &type, const Valuation &sizes) {
  std::vector<std::int64_t> shape;
  for (const Index &extent : type.shape)
    shape.push_back(evaluate(extent, sizes).value());
  return make_tensor(type.elem, shape);
}

void fill(Tensor &tensor) {
  std::mt19937 random(7);
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = static_cast<double>(random()) / 4294967296.0;
    tensor.set(i, is_float(tensor.elem) ? make_real(tensor.elem, value)
                                        : make_integer(tensor.elem, static_cast<std::int64_t>(value * 256)));
  }
}

// The arguments of a kernel; both versions read the same ones.
struct Data {
  std::vector<std::int64_t> sizes;
  std::vector<Tensor> inputs;
};

Data data_for(const TypedKernel &kernel, const Valuation &sizes) {
  Data data;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size) {
      data.sizes.push_back(sizes.at(param.name));
    } else {
      data.inputs.push_back(tensor_of(param.type, sizes));
      fill(data.inputs.back());
    }
  return data;
}

std::vector<Tensor> outputs_of(const TypedKernel &kernel, const Valuation &sizes) {
  std::vector<Tensor> outputs;
  for (const Output &output : kernel.outputs)
    outputs.push_back(tensor_of(output.type, sizes));
  return outputs;
}

std::vector<void *> addresses(std::vector<Tensor> &tensors) {
  std::vector<void *> all;
  for (Tensor &tensor : tensors)
    all.push_back(tensor.bytes.data());
  return all;
}

double value_of(const Scalar &scalar) {
  return is_float(scalar.elem) ? scalar.real : static_cast<double>(scalar.integer);
}

void require_close(const std::string &name, const Tensor &ours, const Tensor &theirs) {
  for (std::int64_t i = 0; i < ours.element_count(); ++i) {
    const double a = value_of(ours.get(i)), b = value_of(theirs.get(i));
    const double tolerance = is_float(ours.elem) ? 1e-3 * std::max(1.0, std::abs(b)) : 0;
    if (!(std::abs(a - b) <= tolerance))
      throw std::runtime_error(fmt::format("{}: element {} is {}, the peer has {}", name, i, a, b));
  }
}

std::string name_of(const Subject &subject, const Valuation &sizes, const TypedKernel &kernel) {
  std::string numbers;
  for (const std::string &size : kernel.size_names())
    numbers += (numbers.empty() ? " " : "x") + std::to_string(sizes.at(size));
  return subject.kernel + numbers;
}

void add_rows(const Subject &subject, const std::string &peer, const Options &options, Rows &rows) {
  if (!options.wants(subject.kernel))
    return;
  const std::vector<std::string> kernels{subject.kernel};
  const Version automatic = load(subject, under_automatic_schedules(kernels)),
                other = load(subject, {kernels, subject.schedules});
  for (const Valuation &sizes : subject.sizes) {
    const std::string name = name_of(subject, sizes, automatic.algorithm);
    Data data = data_for(automatic.algorithm, sizes);
    std::vector<Tensor> ours = outputs_of(automatic.algorithm, sizes), theirs = ours;
    const std::vector<void *> in = addresses(data.inputs), to = addresses(ours), to_other = addresses(theirs);
    const std::vector<Contender> contenders{
        {"ours", [&] { automatic.call(data.sizes.data(), in.data(), to.data()); }},
        {peer, [&] { other.call(data.sizes.data(), in.data(), to_other.data()); }}};
    for (const Contender &contender : contenders)
      contender.run();
    for (std::size_t i = 0; i < ours.size(); ++i)
      require_close(name, ours[i], theirs[i]);
    std::map<std::string, double> times = measure(contenders, options.effort(15));
    const double time = times.at("ours");
    times.erase("ours");
    rows.push_back({"auto", name, "ms", time, times});
  }
}

} // namespace

Rows auto_suite(const Options &options) {
  use_threads(1);
  Rows rows;
  for (const Subject &subject : by_hand())
    add_rows(subject, "by hand", options, rows);
  for (const Subject &subject : as_written())
    add_rows(subject, "as written", options, rows);
  return rows;
}

} // namespace atl::bench
