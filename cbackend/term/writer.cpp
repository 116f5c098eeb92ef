#include "cbackend/term/writer.h"

namespace atl::cbackend {

static bool may_break_after(char c) {
  return std::string_view("+-*/&|?:,=").find(c) != std::string_view::npos;
}

// Where to break a line of at most `width` characters from `text`: the last of the outermost places, but not
// in the first third, where it would leave too little. If there is none, the first one behind.
static std::size_t break_position(std::string_view text, std::size_t width) {
  std::size_t best = std::string_view::npos;
  int depth = 0, best_depth = 0;
  for (std::size_t i = 1; i < text.size() && (i < width || best == std::string_view::npos); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    bool possible = text[i] == ' ' && may_break_after(text[i - 1]) && i > width / 3;
    if (possible && (best == std::string_view::npos || depth <= best_depth)) {
      best = i;
      best_depth = depth;
    }
  }
  return best;
}

void Writer::line(std::string_view text) {
  std::size_t indent = 2 * static_cast<std::size_t>(depth_);
  while (indent + text.size() > line_width && indent + 20 < line_width) {
    std::size_t at = break_position(text, line_width - indent);
    if (at == std::string_view::npos)
      break;
    text_.append(indent, ' ').append(text.substr(0, at)) += '\n';
    text.remove_prefix(at + 1);
    indent = 2 * static_cast<std::size_t>(depth_) + 4;
  }
  if (!text.empty())
    text_.append(indent, ' ').append(text);
  text_ += '\n';
}

} // namespace atl::cbackend
