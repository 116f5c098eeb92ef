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
  File meson;                    // builds the library from source
  std::vector<File> build_files; // that find the compiled library: NAME.pc, NAMEConfig.cmake, ...

  std::map<std::string, std::string> sources() const; // all but the build files: name -> text
  std::map<std::string, std::string> files() const;   // all of them
};
// How the library will be compiled, see compile.h.
struct Packaging {
  bool openmp = false;
  std::string version = {}; // of the library, as "1.2.3"; it may have none
};
Library emit_library(const std::string &name, const std::vector<lowering::LoopKernel> &kernels,
                     const Packaging &packaging = {});
// Whether a kernel has parallel loops, so that OpenMP makes a difference.
bool wants_openmp(const std::vector<lowering::LoopKernel> &kernels);
// The C source alone.
std::string emit_source(const std::string &library, const std::vector<lowering::LoopKernel> &kernels);

// NAME.d, a rule of make: the outputs are made from the programs read.
std::string emit_depfile(const std::vector<std::string> &outputs, const std::vector<std::string> &inputs);

} // namespace atl::cbackend
