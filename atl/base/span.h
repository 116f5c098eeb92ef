// A place in the text of a program: a half-open range of byte offsets in one source file.
#pragma once
#include <cstdint>

namespace atl {

struct Span {
  std::uint32_t file = 0; // index into Sources
  std::uint32_t begin = 0, end = 0;
};

} // namespace atl
