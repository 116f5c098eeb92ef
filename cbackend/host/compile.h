// Calling the C compiler and the archiver: $CC or cc with $CFLAGS and $LDFLAGS, $AR or ar. Neither goes
// through a shell.
#pragma once
#include "atl/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace atl::cbackend {

// The words of $CC (it may carry flags: "ccache gcc"), or {"cc"}.
std::vector<std::string> c_compiler();

// What every library is compiled with, followed by the words of $CFLAGS.
std::vector<std::string> library_flags();

// Whether programs can be compiled and linked with -fopenmp.
bool has_openmp(const std::vector<std::string> &compiler);

// Compiles FOLDER/LIBRARY.c to libLIBRARY.a and libLIBRARY.so in the same folder. Both appear complete or not
// at all. With a version, as "1.2.3", libLIBRARY.so and libLIBRARY.so.1, the soname, lead to
// libLIBRARY.so.1.2.3.
std::optional<Diagnostic> build_binaries(const std::filesystem::path &folder, const std::string &library,
                                         const std::string &version = "", bool openmp = false);

// A shared object from one C file, for this machine.
Result<std::filesystem::path> compile_shared(const std::vector<std::string> &compiler,
                                             const std::vector<std::string> &flags,
                                             const std::filesystem::path &source,
                                             const std::filesystem::path &object);

} // namespace atl::cbackend
