#include "cbackend/term/templates.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace atl::cbackend {

// Where the hole {NAME} or {NAME.stride} that begins at `open` ends, or npos: other braces are C.
static std::size_t end_of_hole(const std::string &text, std::size_t open) {
  std::size_t end = open + 1;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '.'))
    ++end;
  bool is_name = end > open + 1 && !std::isdigit(static_cast<unsigned char>(text[open + 1]));
  return is_name && end < text.size() && text[end] == '}' ? end : std::string::npos;
}

// Between parentheses or commas, or alone.
static bool is_enclosed(const std::string &text, std::size_t open, std::size_t close) {
  const std::size_t before = open == 0 ? std::string::npos : text.find_last_not_of(" \n", open - 1);
  const std::size_t behind = text.find_first_not_of(" \n", close + 1);
  return (before == std::string::npos || std::string_view("(,=").find(text[before]) != std::string::npos) &&
         (behind == std::string::npos || std::string_view("),;").find(text[behind]) != std::string::npos);
}

// A word or number; or one call.
static bool is_kept_together(const std::string &value) {
  auto is_part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const std::size_t word =
      static_cast<std::size_t>(std::find_if_not(value.begin(), value.end(), is_part_of_word) - value.begin());
  if (word == value.size())
    return true;
  int depth = 0;
  for (std::size_t n = word; n < value.size(); ++n) {
    depth += value[n] == '(';
    depth -= value[n] == ')';
    if (depth == 0)
      return word > 0 && n > word && n + 1 == value.size();
  }
  return false;
}

std::string fill_holes(const std::string &c_text,
                       const std::function<std::string(const std::string &)> &value) {
  std::string text;
  for (std::size_t at = 0; at < c_text.size(); ++at) {
    std::size_t end = c_text[at] == '{' ? end_of_hole(c_text, at) : std::string::npos;
    if (end == std::string::npos) {
      text += c_text[at];
      continue;
    }
    const std::string filling = value(c_text.substr(at + 1, end - at - 1));
    const bool is_safe = is_enclosed(c_text, at, end) || is_kept_together(filling);
    text += is_safe ? filling : "(" + filling + ")";
    at = end;
  }
  return text;
}

} // namespace atl::cbackend
