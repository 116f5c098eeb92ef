#include "driver/io/tensor_file.h"

#include "driver/io/npy.h"
#include "driver/io/png_io.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>

namespace atl::driver {

static std::string ending(std::string_view name) {
  std::string found = std::filesystem::path(name).extension().string();
  std::transform(found.begin(), found.end(), found.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return found;
}

bool is_tensor_file(std::string_view name) {
  return ending(name) == ".npy" || ending(name) == ".png";
}

static Diagnostic unknown_ending(const std::filesystem::path &path) {
  return {Code::bad_argument,
          std::nullopt,
          fmt::format("{}: tensors are kept in files that end in .npy or .png", path.string()),
          {}};
}

static Diagnostic too_large(const std::filesystem::path &path) {
  return {Code::out_of_memory, std::nullopt, fmt::format("{} does not fit into memory", path.string()), {}};
}

static std::string dimensions(std::size_t rank) {
  return rank == 0 ? "no dimensions" : rank == 1 ? "1 dimension" : fmt::format("{} dimensions", rank);
}

static Result<Tensor> read_npy_of_rank(const std::filesystem::path &path, const std::string &name,
                                       const Type &type) {
  Result<Tensor> tensor = read_npy(path, type.elem);
  if (tensor && tensor->shape.size() != type.shape.size())
    return Diagnostic{Code::bad_npy,
                      std::nullopt,
                      fmt::format("{} has {}, but {} has {}", path.string(), dimensions(tensor->shape.size()),
                                  name, dimensions(type.shape.size())),
                      {}};
  return tensor;
}

Result<Tensor> read_tensor(const std::filesystem::path &path, const std::string &name, const Type &type) {
  try {
    if (ending(path.string()) == ".npy" || path == "-")
      return read_npy_of_rank(path, name, type);
    if (ending(path.string()) == ".png")
      return read_png(path, type.elem, type.shape.size());
    return unknown_ending(path);
  } catch (const std::bad_alloc &) {
    return too_large(path);
  }
}

// A device such as /dev/stdout has no ending.
static bool holds_npy(const std::filesystem::path &output) {
  std::error_code ignored;
  const bool device = std::filesystem::exists(output, ignored) && std::filesystem::is_other(output, ignored);
  return ending(output.string()) == ".npy" || output == "-" || device;
}

std::optional<Diagnostic> objection_to(const std::filesystem::path &output) {
  if (!holds_npy(output) && ending(output.string()) != ".png")
    return unknown_ending(output);
  std::error_code ignored;
  const std::filesystem::path folder = output.parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, ignored))
    return std::nullopt;
  return Diagnostic{Code::cannot_write,
                    std::nullopt,
                    fmt::format("cannot write {}: there is no folder {}", output.string(), folder.string()),
                    {}};
}

std::optional<Diagnostic> write_tensor(const std::filesystem::path &path, const Tensor &tensor) {
  try {
    if (ending(path.string()) == ".png")
      return write_png(path, tensor);
    return holds_npy(path) ? write_npy(path, tensor) : unknown_ending(path);
  } catch (const std::bad_alloc &) {
    return too_large(path);
  }
}

} // namespace atl::driver
