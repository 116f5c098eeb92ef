#include "atl/base/printable.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace atl {

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

struct CodePoint {
  std::uint32_t value;
  std::size_t bytes; // 0: it is no UTF-8
};

CodePoint code_point_at(std::string_view text) {
  const unsigned char first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes)
    return {0, 0};
  std::uint32_t value = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i]))
      return {0, 0};
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool is_overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xD800 && value < 0xE000;
  return is_overlong || is_surrogate || value > 0x10FFFF ? CodePoint{0, 0} : CodePoint{value, bytes};
}

bool is_command(std::uint32_t c) {
  const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
  const bool ends_line = c == 0x2028 || c == 0x2029;
  const bool reverses = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                        (c >= 0x2066 && c <= 0x2069);
  return is_control || ends_line || reverses;
}

// `otherwise`: what stands for the bytes that a terminal must not see.
template <class Otherwise>
std::string replaced(std::string_view text, Otherwise otherwise) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = code_point_at(text);
    const std::string_view bytes = text.substr(0, c.bytes == 0 ? 1 : c.bytes);
    result += c.bytes == 0 || is_command(c.value) ? otherwise(bytes) : std::string(bytes);
    text.remove_prefix(bytes.size());
  }
  return result;
}

} // namespace

static std::string escaped(std::string_view bytes) {
  std::string text;
  for (char c : bytes)
    text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string printable(std::string_view text) {
  return replaced(text, escaped);
}

std::string printable_name(std::string_view name) {
  std::string result;
  for (char c : printable(name))
    result += c == '\n' || c == '\t' ? escaped({&c, 1}) : std::string(1, c);
  return result;
}

std::string printable_column_by_column(std::string_view line) {
  std::string text = replaced(line, [](std::string_view) { return "?"; });
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

static std::string shortened(std::string_view word) {
  constexpr std::size_t most = 500, front = 200, back = 100;
  if (word.size() <= most)
    return std::string(word);
  std::size_t end = front, begin = word.size() - back;
  while (continues(word[end]))
    --end;
  while (continues(word[begin]))
    ++begin;
  return fmt::format("{}...({} bytes)...{}", word.substr(0, end), begin - end, word.substr(begin));
}

std::string readable(std::string_view text) {
  const std::string all = printable(text);
  std::string result;
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \n\t"), rest.size());
    result += shortened(rest.substr(0, end));
    rest.remove_prefix(end);
    if (!rest.empty())
      result += rest[0], rest.remove_prefix(1);
  }
  return result;
}

} // namespace atl
