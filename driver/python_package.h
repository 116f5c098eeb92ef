// The Python package beside a C library.
#pragma once
#include "driver/library.h"

#include <filesystem>
#include <string>
#include <vector>

namespace atl::driver {

// Into the folder, where the archive of the library is; `packaging`: how it was compiled. Goes out: the names
// of the files, in it.
Result<std::vector<std::string>> write_python(const std::filesystem::path &folder, const Library &library,
                                              const cbackend::Packaging &packaging);

} // namespace atl::driver
