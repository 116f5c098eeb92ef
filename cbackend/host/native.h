// Kernels as native code in this process: compiled in a temporary folder, loaded, called.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/eval.h"
#include "cbackend/library/emit_c.h"
#include "lowering/nest/loop_ir.h"

#include <memory>
#include <string>
#include <vector>

namespace atl::cbackend {

constexpr const char *native_library = "kernels"; // what it is called

struct NativeOptions {
  std::vector<std::string> compiler; // empty: c_compiler()
  std::vector<std::string> flags;    // after those of a library, such as -march=native
};

// A call of a kernel that can be made again and again. The inputs live longer; the library lives as long.
class NativeCall {
public:
  std::optional<Diagnostic> run(); // an error if the kernel refuses the sizes, or if memory runs out
  Tensors &results() { return results_; }

private:
  friend class NativeLibrary;
  using Function = int (*)(const std::int64_t *sizes, void *const *inputs, void *const *outputs);
  std::shared_ptr<const void> library_;
  Function function_ = nullptr;
  std::vector<std::int64_t> sizes_;
  std::vector<void *> inputs_, outputs_;
  Tensors results_; // which the outputs point into
};

class NativeLibrary {
public:
  static Result<NativeLibrary> compile(std::vector<lowering::LoopKernel> kernels,
                                       const NativeOptions &options = {});
  // Of C that was printed before: what emit_library made of the kernels.
  static Result<NativeLibrary> compile_library(std::vector<lowering::LoopKernel> kernels,
                                               const Library &library, const NativeOptions &options = {});

  // `sizes` has every size, `inputs` every tensor and scalar (rank 0) of the kernel. An error if they do not
  // fit the kernel, if it refuses the sizes, or if memory runs out.
  Result<Tensors> call(const std::string &kernel, const Valuation &sizes, const Tensors &inputs) const;
  Result<NativeCall> prepare(const std::string &kernel, const Valuation &sizes, const Tensors &inputs) const;

private:
  struct Loaded;
  explicit NativeLibrary(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}
  std::shared_ptr<const Loaded> loaded_;
};

// Whether the C compiler can compile the instructions of a description, and this CPU has them.
Result<bool> runs_here(const Hardware &hardware);

// The library's C with, for every kernel, `int atl_call_KERNEL(const int64_t *sizes, void *const *inputs,
// void *const *outputs)`, where KERNEL is its name in C: sizes, inputs (tensors and scalars) and outputs each
// in the order of the parameters. It needs no header.
std::string emit_callable_source(const std::vector<lowering::LoopKernel> &kernels);

} // namespace atl::cbackend
