// NumPy .npy files: versions 1 to 3 of the format, C order, little endian, the element types of the language.
// Anything else is refused (E8003) with what was expected and what was found.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/tensor.h"

#include <filesystem>
#include <optional>
#include <string>

namespace atl::driver {

Result<Tensor> read_npy(const std::filesystem::path &path, std::optional<Elem> expected = std::nullopt);
std::optional<Diagnostic> write_npy(const std::filesystem::path &path, const Tensor &tensor);

// The same on the content of a file. `name` is for messages.
Result<Tensor> parse_npy(std::string_view content, const std::string &name, std::optional<Elem> expected);
std::string to_npy(const Tensor &tensor);

} // namespace atl::driver
