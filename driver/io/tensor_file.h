// Tensors in files, by the ending of the name: .npy or .png. The path - is a .npy file on standard input or
// output.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/tensor.h"
#include "atl/syntax/expr.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace atl::driver {

bool is_tensor_file(std::string_view name);

// A tensor of the element type and rank of `type`, for the parameter `name`. Its extents are those of the
// file.
Result<Tensor> read_tensor(const std::filesystem::path &path, const std::string &name, const Type &type);
// Why a tensor will not be written there, before there is one: an unknown ending, or no such folder.
std::optional<Diagnostic> objection_to(const std::filesystem::path &output);
std::optional<Diagnostic> write_tensor(const std::filesystem::path &path, const Tensor &tensor);

} // namespace atl::driver
