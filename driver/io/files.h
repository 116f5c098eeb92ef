// Reading and writing files for the commands: whole files, one clear diagnostic (E8001, E8002) when it fails,
// and nothing half-written: a regular file is written under a temporary name in its folder and renamed. The
// path `-` is standard input, or standard output.
#pragma once
#include "atl/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace atl::driver {

inline constexpr std::uintmax_t most_of_a_program = 64 << 20,
                                most_of_a_tensor = std::uintmax_t{1} << 50; // bytes

// Regular files, and pipes that are open already: others may have no end. No more than `most` bytes are read.
Result<std::string> read_file(const std::filesystem::path &path, std::uintmax_t most = most_of_a_program);
std::optional<Diagnostic> write_file(const std::filesystem::path &path, std::string_view content);
std::optional<Diagnostic> make_folder(const std::filesystem::path &path);
std::optional<Diagnostic> move_file(const std::filesystem::path &from, const std::filesystem::path &to);

} // namespace atl::driver
