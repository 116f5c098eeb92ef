#include "cbackend/host/native.h"

#include "atl/base/check.h"
#include "cbackend/function/interface.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/temp_folder.h"
#include "cbackend/library/packaging.h"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <new>
#include <stdexcept>

namespace atl::cbackend {

namespace fs = std::filesystem;
using lowering::LoopKernel;

struct NativeLibrary::Loaded {
  std::vector<LoopKernel> kernels;
  std::vector<std::string> c_names; // of the kernels
  std::shared_ptr<void> handle;
};

static std::string argument(const CParam &p, int &sizes, int &inputs, int &outputs) {
  std::string_view type = info(p.elem).c_type;
  switch (p.kind) {
  case CParam::Kind::size: return fmt::format("sizes[{}]", sizes++);
  case CParam::Kind::scalar: return fmt::format("*(const {} *)inputs[{}]", type, inputs++);
  case CParam::Kind::input: return fmt::format("(const {} *)inputs[{}]", type, inputs++);
  case CParam::Kind::output: break;
  }
  return fmt::format("({} *)outputs[{}]", type, outputs++);
}

static std::string emit_trampoline(const CKernel &kernel) {
  std::string arguments;
  int sizes = 0, inputs = 0, outputs = 0;
  for (const CParam &p : kernel.params)
    arguments += (arguments.empty() ? "" : ", ") + argument(p, sizes, inputs, outputs);
  std::string text =
      fmt::format("int atl_call_{}(const int64_t *sizes, void *const *inputs, void *const *outputs);\n"
                  "int atl_call_{}(const int64_t *sizes, void *const *inputs, void *const *outputs) {{\n",
                  kernel.c_name, kernel.c_name);
  text += sizes == 0 ? "  (void)sizes;\n" : "";
  text += inputs == 0 ? "  (void)inputs;\n" : "";
  return text + fmt::format("  return {}({});\n}}\n", kernel.c_name, arguments);
}

// The files as one, and what calls the functions.
static std::string callable_source(const std::vector<LoopKernel> &kernels, const Library &library) {
  std::string source = library.source.text;
  std::string include = fmt::format("#include \"{}\"\n", library.header.name);
  std::size_t at = source.find(include);
  ATL_CHECK(at != std::string::npos, "the source does not include its header");
  source.replace(at, include.size(), library.header.text);
  for (const CKernel &kernel : describe_library(library.name, kernels).kernels)
    source += "\n" + emit_trampoline(kernel);
  return source;
}

std::string emit_callable_source(const std::vector<LoopKernel> &kernels) {
  return callable_source(kernels, emit_library(native_library, kernels));
}

static Diagnostic cannot_load() {
  return {Code::tool_failed, {}, fmt::format("the compiled kernels cannot be loaded: {}", dlerror()), {}};
}

Result<NativeLibrary> NativeLibrary::compile(std::vector<LoopKernel> kernels, const NativeOptions &options) {
  Library library = emit_library(native_library, kernels);
  return compile_library(std::move(kernels), library, options);
}

Result<NativeLibrary> NativeLibrary::compile_library(std::vector<LoopKernel> kernels, const Library &library,
                                                     const NativeOptions &options) {
  std::error_code no_temporary_folder;
  auto folder = TempFolder::create(fs::temp_directory_path(no_temporary_folder));
  if (!folder)
    return folder.errors();
  auto source = write_text(folder->path() / "kernels.c", callable_source(kernels, library));
  if (!source)
    return source.errors();
  std::vector<std::string> compiler = options.compiler.empty() ? c_compiler() : options.compiler;
  bool openmp = wants_openmp(kernels) && has_openmp(compiler);
  if (openmp)
    compiler.emplace_back("-fopenmp");
  auto object = compile_shared(compiler, options.flags, *source, folder->path() / "kernels.so");
  if (!object)
    return object.errors();
  // Once loaded, the file is not needed: the folder vanishes at the end of this function. OpenMP's threads
  // outlive the calls, so its library has to stay.
  void *handle = dlopen(object->c_str(), RTLD_NOW | RTLD_LOCAL | (openmp ? RTLD_NODELETE : 0));
  if (!handle)
    return cannot_load();
  std::vector<std::string> c_names;
  for (const CKernel &kernel : describe_library(library.name, kernels).kernels)
    c_names.push_back(kernel.c_name);
  return NativeLibrary(
      std::make_shared<const Loaded>(Loaded{std::move(kernels), std::move(c_names), {handle, dlclose}}));
}

namespace {

Diagnostic misfit(const std::string &name, std::string_view what) {
  return {Code::size_conflict, {}, fmt::format("{} {}", name, what), {}};
}

// Shape under the sizes; nothing if an extent cannot be computed.
std::optional<std::vector<std::int64_t>> shape_of(const Shape &dims, const Valuation &sizes) {
  std::vector<std::int64_t> shape;
  for (const Index &d : dims) {
    auto extent = evaluate(d, sizes);
    if (!extent)
      return {};
    shape.push_back(*extent);
  }
  return shape;
}

std::optional<Diagnostic> check_input(const Param &p, const Valuation &sizes, const Tensors &inputs) {
  auto found = inputs.find(p.name);
  if (found == inputs.end())
    return misfit(p.name, "has no value");
  if (found->second.elem != p.type.elem)
    return misfit(p.name,
                  fmt::format("has element type {}, not {}", name(found->second.elem), name(p.type.elem)));
  if (shape_of(p.type.shape, sizes) != found->second.shape)
    return misfit(p.name, "does not have the shape that the sizes say");
  return {};
}

// What a kernel refused. Null pointers and overlap cannot happen here: we made the arguments.
Diagnostic refusal(int code) {
  auto error = static_cast<RuntimeError>(code);
  ATL_CHECK(error == RuntimeError::size || error == RuntimeError::where || error == RuntimeError::too_large ||
                error == RuntimeError::out_of_memory,
            fmt::format("a kernel returned {}", code));
  bool memory = error == RuntimeError::too_large || error == RuntimeError::out_of_memory;
  return {memory ? Code::out_of_memory : Code::size_conflict,
          {},
          std::string(runtime_errors[static_cast<std::size_t>(code)].message),
          {}};
}

struct Arguments {
  std::vector<std::int64_t> sizes;
  std::vector<void *> inputs;
};

Result<Arguments> collect(const LoopKernel &kernel, const Valuation &sizes, const Tensors &inputs) {
  Arguments arguments;
  for (const Param &p : kernel.params) {
    if (p.kind == Param::Kind::size) {
      auto value = sizes.find(p.name);
      if (value == sizes.end())
        return misfit(p.name, "has no value");
      arguments.sizes.push_back(value->second);
      continue;
    }
    if (auto wrong = check_input(p, sizes, inputs))
      return *wrong;
    // Passed as pointer to const in C.
    arguments.inputs.push_back(const_cast<std::byte *>(inputs.at(p.name).bytes.data()));
  }
  return arguments;
}

// Sizes that give no shape are refused by the kernel itself, which then does not touch the output.
Tensor make_output(const lowering::Buffer &output, const Valuation &sizes) {
  auto shape = shape_of(output.dims, sizes);
  bool exists =
      shape && std::all_of(shape->begin(), shape->end(), [](std::int64_t extent) { return extent >= 0; });
  return make_tensor(output.elem, exists ? *shape : std::vector<std::int64_t>{0});
}

} // namespace

static Diagnostic no_memory() {
  return {Code::out_of_memory, {}, "there is not enough memory for the outputs", {}};
}

Result<NativeCall> NativeLibrary::prepare(const std::string &name, const Valuation &sizes,
                                          const Tensors &inputs) const {
  auto kernel = std::find_if(loaded_->kernels.begin(), loaded_->kernels.end(),
                             [&](const LoopKernel &k) { return k.name == name; });
  ATL_CHECK(kernel != loaded_->kernels.end(), "no such kernel: " + name);
  const std::string &c_name = loaded_->c_names[static_cast<std::size_t>(kernel - loaded_->kernels.begin())];
  NativeCall call;
  call.library_ = loaded_;
  call.function_ =
      reinterpret_cast<NativeCall::Function>(dlsym(loaded_->handle.get(), ("atl_call_" + c_name).c_str()));
  ATL_CHECK(call.function_ != nullptr, "the compiled library lacks a kernel: " + name);
  auto arguments = collect(*kernel, sizes, inputs);
  if (!arguments)
    return arguments.errors();
  call.sizes_ = std::move(arguments->sizes);
  call.inputs_ = std::move(arguments->inputs);
  try {
    for (const lowering::Buffer &output : kernel->outputs)
      call.results_[output.name] = make_output(output, sizes);
  } catch (const std::bad_alloc &) {
    return no_memory();
  } catch (const std::length_error &) {
    return Diagnostic{Code::out_of_memory, {}, "an output is too large for memory", {}};
  }
  for (const lowering::Buffer &output : kernel->outputs)
    call.outputs_.push_back(call.results_.at(output.name).bytes.data());
  return call;
}

std::optional<Diagnostic> NativeCall::run() {
  const int code = function_(sizes_.data(), inputs_.data(), outputs_.data());
  return code == 0 ? std::nullopt : std::optional(refusal(code));
}

Result<Tensors> NativeLibrary::call(const std::string &name, const Valuation &sizes,
                                    const Tensors &inputs) const {
  auto call = prepare(name, sizes, inputs);
  if (!call)
    return call.errors();
  if (auto refused = call->run())
    return *refused;
  return std::move(call->results());
}

Result<bool> runs_here(const Hardware &hardware) {
  std::string condition = "1";
  for (const std::string &feature : hardware.features)
    condition += fmt::format(" && __builtin_cpu_supports(\"{}\")", feature);
  std::error_code no_temporary_folder;
  auto folder = TempFolder::create(fs::temp_directory_path(no_temporary_folder));
  if (!folder)
    return folder.errors();
  auto source = write_text(folder->path() / "cpu.c",
                           fmt::format("int atl_runs(void);\n#if {}\nint atl_runs(void) {{ return {}; }}\n"
                                       "#else\nint atl_runs(void) {{ return 0; }}\n#endif\n",
                                       hardware.available, condition));
  if (!source)
    return source.errors();
  auto object = compile_shared(c_compiler(), {}, *source, folder->path() / "cpu.so");
  if (!object)
    return object.errors();
  void *handle = dlopen(object->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return cannot_load();
  const std::shared_ptr<void> until_the_end(handle, dlclose);
  const auto runs = reinterpret_cast<int (*)()>(dlsym(handle, "atl_runs"));
  ATL_CHECK(runs != nullptr, "what was compiled is not there");
  return runs() != 0;
}

} // namespace atl::cbackend
