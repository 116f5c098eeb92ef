// Indented lines of text.
#pragma once
#include <string>
#include <string_view>

namespace atl::cbackend {

class Writer {
public:
  void line(std::string_view text) {
    if (!text.empty())
      text_.append(2 * static_cast<std::size_t>(depth_), ' ').append(text);
    text_ += '\n';
  }
  void open(std::string_view text) {
    line(text);
    ++depth_;
  }
  void close(std::string_view text = "}") {
    --depth_;
    line(text);
  }
  void indented(std::string_view text) { // a single statement under an if
    ++depth_;
    line(text);
    --depth_;
  }
  const std::string &text() const { return text_; }

private:
  std::string text_;
  int depth_ = 0;
};

} // namespace atl::cbackend
