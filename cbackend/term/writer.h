// Indented lines of C. A line that would be too long is broken after an operator or a comma, as far out in
// its parentheses as possible.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace atl::cbackend {

constexpr std::size_t line_width = 100;

class Writer {
public:
  void line(std::string_view text);
  void open(std::string_view text) {
    line(text);
    deeper();
  }
  void deeper() { ++depth_; }
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
