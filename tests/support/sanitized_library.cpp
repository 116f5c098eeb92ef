#include "tests/support/sanitized_library.h"

#include "atl/base/check.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/native.h"
#include "cbackend/host/process.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace atl::testing {

namespace fs = std::filesystem;
using lowering::LoopKernel;

namespace {

// A request is: number of sizes, sizes, number of inputs, (bytes, data)..., number of outputs, bytes...; all
// numbers int64_t. The answer is the data of the outputs. The exit status is the kernel's.
constexpr std::string_view main_program = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t number(FILE *in) {
  int64_t value = 0;
  if (fread(&value, sizeof value, 1, in) != 1)
    exit(100);
  return value;
}

static void *data(FILE *in, int64_t bytes) {
  void *result = malloc((size_t)bytes);
  if (bytes > 0 && (!result || fread(result, 1, (size_t)bytes, in) != (size_t)bytes))
    exit(101);
  return result;
}

int main(int argc, char **argv) {
  int64_t sizes[64];
  int64_t output_bytes[64];
  void *inputs[64], *outputs[64];
  FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL;
  if (!in)
    return 102;
  const int64_t size_count = number(in);
  for (int64_t i = 0; i < size_count; ++i)
    sizes[i] = number(in);
  const int64_t input_count = number(in);
  for (int64_t i = 0; i < input_count; ++i)
    inputs[i] = data(in, number(in));
  const int64_t output_count = number(in);
  for (int64_t i = 0; i < output_count; ++i) {
    output_bytes[i] = number(in);
    outputs[i] = malloc((size_t)output_bytes[i]);
  }
  fclose(in);
  int status = 103;
  CALLS
  FILE *out = fopen(argv[3], "wb");
  for (int64_t i = 0; i < output_count; ++i) {
    if (status == 0)
      fwrite(outputs[i], 1, (size_t)output_bytes[i], out);
    free(outputs[i]);
  }
  fclose(out);
  for (int64_t i = 0; i < input_count; ++i)
    free(inputs[i]);
  return status;
}
)";

std::string emit_program(const std::vector<LoopKernel> &kernels) {
  std::string calls;
  for (const LoopKernel &k : kernels)
    calls += fmt::format(
        "if (strcmp(argv[1], \"{0}\") == 0)\n    status = atl_call_{0}(sizes, inputs, outputs);\n  ", k.name);
  std::string program = cbackend::emit_callable_source(kernels) + std::string(main_program);
  std::size_t at = program.rfind("CALLS");
  return program.replace(at, 5, calls);
}

void put(std::string &request, std::int64_t number) {
  request.append(reinterpret_cast<const char *>(&number), sizeof number);
}

void put(std::string &request, const Tensor &tensor) {
  put(request, static_cast<std::int64_t>(tensor.bytes.size()));
  request.append(reinterpret_cast<const char *>(tensor.bytes.data()), tensor.bytes.size());
}

Tensors empty_outputs(const LoopKernel &kernel, const Valuation &sizes) {
  Tensors outputs;
  for (const lowering::Buffer &output : kernel.outputs) {
    std::vector<std::int64_t> shape;
    for (const Index &d : output.dims)
      shape.push_back(evaluate(d, sizes).value_or(0));
    outputs[output.name] = make_tensor(output.elem, shape);
  }
  return outputs;
}

std::string make_request(const LoopKernel &kernel, const Valuation &sizes, const Tensors &inputs,
                         const Tensors &outputs) {
  std::string numbers, tensors, wanted;
  std::int64_t size_count = 0, input_count = 0;
  for (const Param &p : kernel.params)
    if (p.kind == Param::Kind::size) {
      put(numbers, sizes.at(p.name));
      ++size_count;
    } else {
      put(tensors, inputs.at(p.name));
      ++input_count;
    }
  for (const lowering::Buffer &output : kernel.outputs)
    put(wanted, static_cast<std::int64_t>(outputs.at(output.name).bytes.size()));
  std::string request;
  put(request, size_count);
  request += numbers;
  put(request, input_count);
  request += tensors;
  put(request, static_cast<std::int64_t>(kernel.outputs.size()));
  return request + wanted;
}

void read_answer(const fs::path &file, const LoopKernel &kernel, Tensors &outputs) {
  std::ifstream in(file, std::ios::binary);
  for (const lowering::Buffer &output : kernel.outputs) {
    auto &bytes = outputs.at(output.name).bytes;
    in.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  ATL_CHECK(in.good(), "an answer is too short");
}

} // namespace

Result<SanitizedLibrary> SanitizedLibrary::compile(std::vector<LoopKernel> kernels,
                                                   const std::vector<std::string> &compiler) {
  auto folder = cbackend::TempFolder::create(fs::temp_directory_path());
  if (!folder)
    return folder.errors();
  auto source = cbackend::write_text(folder->path() / "program.c", emit_program(kernels));
  if (!source)
    return source.errors();
  std::vector<std::string> argv = compiler.empty() ? cbackend::c_compiler() : compiler;
  for (const std::string &word :
       {std::string("-std=c11"), std::string("-O1"), std::string("-g"),
        std::string("-fsanitize=address,undefined"), std::string("-fno-sanitize-recover=all"),
        std::string("-o"), (folder->path() / "program").string(), source->string(), std::string("-lm")})
    argv.push_back(word);
  auto compiled = cbackend::run_successfully(argv);
  if (!compiled)
    return compiled.errors();
  return SanitizedLibrary(std::move(kernels), *folder);
}

Result<Tensors> SanitizedLibrary::call(const std::string &name, const Valuation &sizes,
                                       const Tensors &inputs) const {
  auto kernel =
      std::find_if(kernels_.begin(), kernels_.end(), [&](const LoopKernel &k) { return k.name == name; });
  ATL_CHECK(kernel != kernels_.end(), "no such kernel: " + name);
  Tensors outputs = empty_outputs(*kernel, sizes);
  auto request =
      cbackend::write_text(folder_.path() / "request", make_request(*kernel, sizes, inputs, outputs));
  if (!request)
    return request.errors();
  fs::path answer = folder_.path() / "answer";
  auto run = cbackend::run_successfully({folder_.path() / "program", name, *request, answer});
  if (!run)
    return run.errors();
  read_answer(answer, *kernel, outputs);
  return outputs;
}

} // namespace atl::testing
