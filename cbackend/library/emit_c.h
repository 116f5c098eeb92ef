// Loop nests to a C11 library: header, source, build files. No decisions are taken
// here.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>
#include <vector>

namespace atl::cbackend {

// File name -> content: NAME.h, NAME.c, NAME.pc, NAMEConfig.cmake, meson.build, NAME.json (manifest).
using Files = std::map<std::string, std::string>;
// `openmp`: the compiler is called with it, see compile.h.
Files emit_library(const std::string &library, const std::vector<lowering::LoopKernel> &kernels,
                   bool openmp = false);
// Whether a kernel has parallel loops, so that OpenMP makes a difference.
bool wants_openmp(const std::vector<lowering::LoopKernel> &kernels);
// The C source alone.
std::string emit_source(const std::string &library, const std::vector<lowering::LoopKernel> &kernels);

// NAME.d, a rule of make: the outputs are made from the programs read.
std::string emit_depfile(const std::vector<std::string> &outputs, const std::vector<std::string> &inputs);

} // namespace atl::cbackend
