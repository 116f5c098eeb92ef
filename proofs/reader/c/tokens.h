// Tokens of the C that atlc emits. Comments are dropped; a line of the preprocessor is one token.
#pragma once
#include "atl/base/span.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace atl::proofs::reader {

struct Token {
  enum class Kind { word, number, symbol, text, directive, end } kind;
  std::string_view text; // of the source, which must outlive it
  std::uint32_t at;      // where it begins
};

// Where a text is not what it should be, and why. Thrown inside the reader, never out of it.
struct Difference : std::runtime_error {
  Difference(std::uint32_t place, const std::string &what) : std::runtime_error(what), at(place) {}
  std::uint32_t at;
};

std::vector<Token> tokens_of(std::string_view source); // ends with one of kind `end`

} // namespace atl::proofs::reader
