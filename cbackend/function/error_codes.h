// The error codes of a generated library: names prefixed with the library's, values that never change.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace atl::cbackend {

enum class RuntimeError { ok, size, where, too_large, null_pointer, overlap, out_of_memory };

struct RuntimeErrorInfo {
  RuntimeError error;
  std::string_view suffix;  // of the enumerator
  std::string_view message; // what LIB_strerror says
};

inline constexpr std::array<RuntimeErrorInfo, 7> runtime_errors{{
    {RuntimeError::ok, "OK", "no error"},
    {RuntimeError::size, "SIZE_OUT_OF_RANGE", "a size is negative or above its limit"},
    {RuntimeError::where, "WHERE_VIOLATED", "the sizes do not satisfy a where clause of the kernel"},
    {RuntimeError::too_large, "TOO_LARGE",
     "a tensor of these sizes has more bytes than a 64-bit integer counts"},
    {RuntimeError::null_pointer, "NULL_POINTER", "a pointer to a tensor is null"},
    {RuntimeError::overlap, "OVERLAP", "an output overlaps another tensor"},
    {RuntimeError::out_of_memory, "OUT_OF_MEMORY", "there is not enough memory for the temporaries"},
}};

class ErrorCodes {
public:
  explicit ErrorCodes(std::string prefix) : prefix_(std::move(prefix)) {} // BLUR
  std::string operator()(RuntimeError error) const {
    return prefix_ + "_" + std::string(runtime_errors[static_cast<std::size_t>(error)].suffix);
  }

private:
  std::string prefix_;
};

} // namespace atl::cbackend
