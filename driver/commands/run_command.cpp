#include "driver/commands/commands.h"

#include "cbackend/host/native.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/functions.h"
#include "driver/io/bind.h"
#include "driver/io/tensor_file.h"
#include "driver/library.h"

#include <fmt/format.h>

#include <map>
#include <new>
#include <set>
#include <stdexcept>

namespace atl::driver {

namespace {

// Runs what was read back.
Result<Tensors> run_native(const Library &library, const Inputs &inputs) {
  auto native = cbackend::NativeLibrary::compile_library(library.kernels, library.c);
  if (!native)
    return native.errors();
  return native->call(library.kernels.at(0).name, inputs.sizes, inputs.tensors);
}

// FILE for the only output, NAME=FILE for one of several: output -> file.
Result<std::map<std::string, std::string>> output_files(const TypedKernel &kernel,
                                                        const std::vector<std::string> &given) {
  std::map<std::string, std::string> files;
  auto wrong = [](std::string message) {
    return Diagnostic{Code::bad_argument, std::nullopt, std::move(message), {}};
  };
  std::string available;
  for (const Output &output : kernel.outputs)
    available += (available.empty() ? "" : ", ") + output.name;
  for (const std::string &argument : given) {
    std::size_t equals = argument.find('=');
    if (equals == std::string::npos && kernel.outputs.size() != 1)
      return wrong(fmt::format("{} has several outputs; say which: -o NAME=FILE, with NAME one of {}",
                               kernel.name, available));
    std::string name = equals == std::string::npos ? kernel.outputs[0].name : argument.substr(0, equals);
    bool known = false;
    for (const Output &output : kernel.outputs)
      known = known || output.name == name;
    if (!known)
      return wrong(fmt::format("{} has no output {}; its outputs: {}", kernel.name, name, available));
    if (!files.emplace(name, equals == std::string::npos ? argument : argument.substr(equals + 1)).second)
      return wrong(fmt::format("the output {} is given twice", name));
  }
  return files;
}

// Small tensors in full, of large ones the shape.
void print_tensor(const std::string &name, const Tensor &tensor) {
  constexpr std::int64_t most = 64;
  std::string shape;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d)
    shape += fmt::format("{}{}", d == 0 ? "[" : ", ", tensor.shape[d]);
  fmt::print("{}: {}{}", name, atl::name(tensor.elem), tensor.shape.empty() ? "" : shape + "]");
  std::int64_t count = tensor.element_count();
  if (count <= most) {
    fmt::print(" =");
    for (std::int64_t i = 0; i < count; ++i)
      fmt::print(" {}", to_string(tensor.get(i)));
  }
  fmt::print("\n");
}

} // namespace

// A kernel that has schedules is run as it is written, unless one is named. The interpreter, which runs it as
// it is written in any case, asks for none.
static Choice choice_for(const RunOptions &options) {
  const std::vector<std::string> kernels =
      options.kernel.empty() ? std::vector<std::string>() : std::vector{options.kernel};
  Choice choice = options.engine == "interp" ? choice_of(options, kernels, options.schedule)
                                             : choice_by_default(options, kernels, options.schedule);
  if (choice.schedule.empty())
    choice.schedule = "none";
  choice.exported = true;
  return choice;
}

static std::size_t count_kernels(const std::vector<const Compiled *> &versions) {
  std::set<std::string> names;
  for (const Compiled *version : versions)
    names.insert(version->name);
  return names.size();
}

// What can be said of the outputs before there is any work done for them.
static std::optional<Diagnostic> wrong_output(const RunOptions &options) {
  for (const std::string &output : options.outputs)
    if (auto problem = objection_to(output.substr(output.find('=') + 1)))
      return problem;
  return std::nullopt;
}

// As the native engine says it, where a tensor cannot be held, or has more bytes than can be counted.
static Result<Tensors> run_interpreted(const TypedKernel &kernel, const Inputs &inputs) {
  try {
    return evaluate(kernel, inputs.sizes, inputs.tensors);
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return Diagnostic{Code::out_of_memory, {}, "there is not enough memory for the temporaries", {}};
}

int run_command(const RunOptions &options) {
  if (auto problem = wrong_output(options))
    return fail(*problem);
  proofs::Prover prover(options.timeout_ms);
  const Choice choice = choice_for(options);
  const auto [c, versions, exit_code] = select_kernels(options.file, choice, options, prover);
  if (exit_code != exit_fine)
    return exit_code;
  if (const std::size_t kernels = count_kernels(versions); kernels != 1)
    return fail({Code::bad_argument,
                 std::nullopt,
                 fmt::format("{} defines {} kernels; choose one with -k", options.file, kernels),
                 {}});
  const Compiled &kernel = *versions[0];
  auto files = output_files(kernel.algorithm, options.outputs);
  if (!files)
    return fail(files.errors()[0]);
  auto inputs = bind_inputs(kernel.algorithm, options.arguments);
  if (!inputs) {
    print_diagnostics(inputs.errors(), c.sources);
    return inputs.errors()[0].code == Code::bad_argument ? exit_usage : exit_wrong;
  }
  std::optional<Library> library;
  if (options.engine == "native") {
    auto functions = functions_of(versions, c, choice);
    if (!functions)
      return fail(functions.errors()[0]);
    library = make_library(cbackend::native_library, std::move(*functions), prover);
    if (!library->ok()) {
      print_diagnostics(library->problems, library->sources);
      return library->late ? exit_wrong : exit_internal;
    }
  }
  Result<Tensors> outputs =
      library ? run_native(*library, *inputs) : run_interpreted(kernel.algorithm, *inputs);
  if (!outputs)
    return fail(outputs.errors()[0]);
  for (const Output &output : kernel.algorithm.outputs) {
    auto file = files->find(output.name);
    if (file == files->end())
      print_tensor(output.name, outputs->at(output.name));
    else if (auto error = write_tensor(file->second, outputs->at(output.name)))
      return fail(*error);
  }
  return exit_fine;
}

} // namespace atl::driver
