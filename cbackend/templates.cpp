#include "cbackend/templates.h"

#include <cctype>

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

std::string fill_holes(const std::string &c_text,
                       const std::function<std::string(const std::string &)> &value) {
  std::string text;
  for (std::size_t at = 0; at < c_text.size(); ++at) {
    std::size_t end = c_text[at] == '{' ? end_of_hole(c_text, at) : std::string::npos;
    if (end == std::string::npos) {
      text += c_text[at];
      continue;
    }
    text += value(c_text.substr(at + 1, end - at - 1));
    at = end;
  }
  return text;
}

} // namespace atl::cbackend
