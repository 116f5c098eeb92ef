// The texts around the C source: header, pkg-config, CMake, Meson, manifest, depfile. Build files find the
// library relative to themselves, so that the folder can be moved.
#pragma once
#include "cbackend/function/interface.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl::cbackend {

std::string_view version(); // of atlc

// What a caller needs to know of a kernel.
std::string
signature(const lowering::LoopKernel &kernel); // kernel blur(N: size, img: f32[N + 2]) -> (out: f32[N])
std::string where_text(const lowering::LoopKernel &kernel); // where N >= 1; empty if there is nothing
std::string meaning(const CParam &p);
// How equal the results are to those of the program, and what of the function a theorem of atlc is about.
std::string promise(const lowering::LoopKernel &version);

std::string emit_header(const CLibrary &library);
// What a program that uses the library links with.
struct Linked {
  bool math, openmp;
};
// The version of the library; without one, that is 0.
std::string emit_pkg_config(const CLibrary &library, const Linked &with, const std::string &version);
std::string emit_cmake_config(const CLibrary &library, const Linked &with);
std::string emit_cmake_version(const std::string &version); // serves requests for the same major version
std::string emit_meson(const CLibrary &library, const Linked &with);
std::string emit_manifest(const CLibrary &library);

} // namespace atl::cbackend
