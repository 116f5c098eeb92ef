// PNG pictures as tensors. The numbers are those of the file: 0 to 255, or 0 to 65535 for 16 bits per
// channel; gamma and colour profiles are ignored. Palettes become RGB, fewer than 8 bits become 8.
//
// Reading: [H, W, C] with C = 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA; or [H, W], where colour becomes its
// luma (6968 r + 23434 g + 2366 b) / 32768, rounded, and alpha is dropped. Any element type that can hold the
// numbers; bool: not 0. Writing: [H, W] or [H, W, C]. u8 and u16 as they are; floats rounded to nearest and
// clamped to 0..255, NaN as 0; bool as 0 and 255.
#pragma once
#include "atl/base/result.h"
#include "atl/meaning/tensor.h"

#include <filesystem>
#include <optional>
#include <string>

namespace atl::driver {

// elem: of the tensor wanted, by default u8 or u16. rank: 2 or 3, by default 2 for gray and 3 for the others.
Result<Tensor> read_png(const std::filesystem::path &path, std::optional<Elem> elem = std::nullopt,
                        std::optional<std::size_t> rank = std::nullopt);
std::optional<Diagnostic> write_png(const std::filesystem::path &path, const Tensor &tensor);

// The same on the content of a file. `name` is for messages.
Result<Tensor> parse_png(std::string_view content, const std::string &name, std::optional<Elem> elem,
                         std::optional<std::size_t> rank);
Result<std::string> to_png(const Tensor &tensor, const std::string &name);

} // namespace atl::driver
