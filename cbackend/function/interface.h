// The C interface of a library: the C names and types of its kernels, parameters and error codes. Header,
// source, manifest and native calls agree because they all read this.
#pragma once
#include "cbackend/function/error_codes.h"
#include "cbackend/term/names.h"
#include "lowering/nest/alternatives.h"

#include <string>
#include <vector>

namespace atl::cbackend {

struct CParam {
  enum class Kind { size, scalar, input, output } kind;
  std::string name, c_name;
  Elem elem; // not of a size
  Shape dims;
  std::int64_t limit; // of a size
};

// A function that another one calls where the CPU has what it needs.
struct CVersion {
  const lowering::LoopKernel *kernel = nullptr;
  std::string c_name = {};
  std::vector<std::string> parts = {}; // the functions for some sizes each, among which it chooses
};

struct CKernel {
  lowering::Versions versions;
  const lowering::LoopKernel *kernel; // the first of them; for the interface any will do
  std::string c_name;
  std::vector<CParam> params; // as declared, then the outputs
  NameScope names;            // what is visible in the function before its body
  // Of a kernel that is mapped to hardware: the functions of instructions, the first that the CPU has counts.
  std::vector<CVersion> mapped = {};
  CVersion portable = {}; // the loops: the only function, or that for other CPUs
};

struct CLibrary {
  std::string name;       // in file names
  std::string identifier; // in C
  std::string header;     // matmul.h
  ErrorCodes codes;
  std::vector<CKernel> kernels;
};

// `kernels` must outlive the result.
CLibrary describe_library(const std::string &name, const std::vector<lowering::LoopKernel> &kernels);

// "int blur(int64_t N, const float *restrict img, float *restrict out)"; `restrict_word` as the place needs
// it.
std::string prototype(const CKernel &kernel, std::string_view restrict_word);
std::string type_text(Elem elem, const Shape &dims); // f32[N + 2, M]

} // namespace atl::cbackend
