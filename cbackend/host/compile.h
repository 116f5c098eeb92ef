// Calling the C compiler and the archiver: $CC or cc, $AR or ar. Neither goes through a shell.
#pragma once
#include "atl/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace atl::cbackend {

// The words of $CC (it may carry flags: "ccache gcc"), or {"cc"}.
std::vector<std::string> c_compiler();

// Those that every library is compiled with.
const std::vector<std::string> &library_flags();

// Whether programs can be compiled and linked with -fopenmp.
bool has_openmp(const std::vector<std::string> &compiler);

// Compiles FOLDER/LIBRARY.c to libLIBRARY.a and libLIBRARY.so in the same folder. Both appear complete or not
// at all.
Result<std::vector<std::filesystem::path>> build_binaries(const std::filesystem::path &folder,
                                                          const std::string &library, bool openmp = false);

// A shared object from one C file, for this machine.
Result<std::filesystem::path> compile_shared(const std::vector<std::string> &compiler,
                                             const std::vector<std::string> &flags,
                                             const std::filesystem::path &source,
                                             const std::filesystem::path &object);

} // namespace atl::cbackend
