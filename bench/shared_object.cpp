#include "bench/shared_object.h"

#include "cbackend/host/compile.h"
#include "cbackend/library/emit_c.h"
#include "driver/automatic_text.h"
#include "driver/commands/selection.h"
#include "driver/functions.h"

#include <dlfcn.h>

#include <stdexcept>

namespace atl::bench {

namespace {

namespace fs = std::filesystem;

template <class T>
T required(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.errors().front().message);
  return *result;
}

} // namespace

driver::Choice under_automatic_schedules(std::vector<std::string> kernels) {
  return {std::move(kernels), driver::automatic_schedules(driver::all_hardware), false, false,
          driver::all_hardware};
}

driver::Choice chosen(const Options &options, std::vector<std::string> kernels, const std::string &by_hand) {
  return options.automatic ? under_automatic_schedules(std::move(kernels))
                           : driver::Choice{std::move(kernels), by_hand};
}

SharedObject SharedObject::from_c(const fs::path &source, const Flags &flags) {
  auto folder = required(cbackend::TempFolder::create(fs::temp_directory_path()));
  fs::path object = folder.path() / "code.so";
  const std::vector<std::string> compiler = cbackend::c_compiler();
  Flags all = flags;
  if (cbackend::has_openmp(compiler))
    all.emplace_back("-fopenmp");
  required(cbackend::compile_shared(compiler, all, source, object));
  void *handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw std::runtime_error(dlerror());
  return SharedObject(std::shared_ptr<void>(handle, dlclose));
}

SharedObject SharedObject::from_example(const std::string &name, const driver::Choice &choice,
                                        const Flags &flags) {
  return from_program(fs::path(ATLC_SOURCE_ROOT) / "examples" / name / (name + ".atl"), choice, flags);
}

SharedObject SharedObject::from_program(const fs::path &program, const driver::Choice &choice,
                                        const Flags &flags) {
  proofs::Prover prover;
  driver::Compilation compilation = driver::compile(program, prover, driver::Until::proved, choice);
  if (!compilation.ok())
    throw std::runtime_error(render(compilation.diagnostics.front(), compilation.sources));
  const auto kernels =
      required(driver::functions_of(required(driver::choose(compilation, choice)), compilation, choice));
  auto folder = required(cbackend::TempFolder::create(fs::temp_directory_path()));
  const std::string name = program.stem().string();
  for (const auto &[file, text] : cbackend::emit_library(name, kernels).files())
    required(cbackend::write_text(folder.path() / file, text));
  return from_c(folder.path() / (name + ".c"), flags);
}

void *SharedObject::address(const std::string &name) const {
  void *found = dlsym(handle_.get(), name.c_str());
  if (!found)
    throw std::runtime_error("no function " + name);
  return found;
}

} // namespace atl::bench
