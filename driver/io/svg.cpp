#include "driver/io/svg.h"

#include <fmt/format.h>

namespace atl::driver::svg {

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string text(double x, double y, const std::string &anchor, const std::string &content) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(content));
}

std::string document(double width, double height, const std::string &content) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
                     "font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
                     width, height) +
         content + "</svg>\n";
}

} // namespace atl::driver::svg
