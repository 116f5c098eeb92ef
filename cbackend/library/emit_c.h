// Loop nests to a C11 library: header, source, build files. No decisions are taken
// here.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>
#include <vector>

namespace atl::cbackend {

struct File {
  std::string name, text;
};
struct Library {
  std::string name;
  File header, source, manifest; // NAME.h, NAME.c, NAME.json
  std::vector<File> build_files; // NAME.pc, NAMEConfig.cmake, meson.build

  std::map<std::string, std::string> files() const; // all of them: name -> text
};
// `openmp`: the compiler is called with it, see compile.h.
Library emit_library(const std::string &name, const std::vector<lowering::LoopKernel> &kernels,
                     bool openmp = false);
// Whether a kernel has parallel loops, so that OpenMP makes a difference.
bool wants_openmp(const std::vector<lowering::LoopKernel> &kernels);
// The C source alone.
std::string emit_source(const std::string &library, const std::vector<lowering::LoopKernel> &kernels);

// NAME.d, a rule of make: the outputs are made from the programs read.
std::string emit_depfile(const std::vector<std::string> &outputs, const std::vector<std::string> &inputs);

} // namespace atl::cbackend
