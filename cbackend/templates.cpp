#include "cbackend/templates.h"

namespace atl::cbackend {

std::string fill_holes(const std::string &c_text,
                       const std::function<std::string(const std::string &)> &value) {
  std::string text;
  for (std::size_t at = 0; at < c_text.size();) {
    std::size_t open = c_text.find('{', at), close = c_text.find('}', open);
    text += c_text.substr(at, open - at);
    if (close == std::string::npos)
      return text + (open == std::string::npos ? "" : c_text.substr(open));
    text += value(c_text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return text;
}

} // namespace atl::cbackend
