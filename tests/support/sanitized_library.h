// Kernels compiled with -fsanitize=address,undefined, as a program of their own: every call is a process, and
// an access outside a buffer, an overflow or a leak is an error with the sanitizer's report. Buffers have
// exactly the size of their tensors.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/eval.h"
#include "cbackend/host/temp_folder.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <vector>

namespace atl::testing {

class SanitizedLibrary {
public:
  // compiler: empty for the usual one
  static Result<SanitizedLibrary> compile(std::vector<lowering::LoopKernel> kernels,
                                          const std::vector<std::string> &compiler = {});
  // As NativeLibrary::call. The shapes must be right; an error carries the program's output as a note.
  Result<Tensors> call(const std::string &kernel, const Valuation &sizes, const Tensors &inputs) const;

private:
  SanitizedLibrary(std::vector<lowering::LoopKernel> kernels, cbackend::TempFolder folder)
      : kernels_(std::move(kernels)), folder_(std::move(folder)) {}
  std::vector<lowering::LoopKernel> kernels_;
  cbackend::TempFolder folder_;
};

} // namespace atl::testing
