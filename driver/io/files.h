// Reading and writing files for the commands: whole files, one clear diagnostic (E8001, E8002) when it fails,
// and nothing half-written: a regular file is written under a temporary name in its folder and renamed.
#pragma once
#include "atl/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace atl::driver {

Result<std::string> read_file(const std::filesystem::path &path);
std::optional<Diagnostic> write_file(const std::filesystem::path &path, std::string_view content);
std::optional<Diagnostic> make_folder(const std::filesystem::path &path);

} // namespace atl::driver
