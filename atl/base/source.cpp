#include "atl/base/source.h"

#include "atl/base/printable.h"

#include <algorithm>
#include <sstream>

namespace atl {

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::uint32_t Sources::add(Source source) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = 0; (at = source.text.find('\n', at)) != std::string::npos;)
    starts.push_back(++at);
  files_.push_back({std::move(source), std::move(starts)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

static bool starts_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

LineColumn Sources::locate(std::uint32_t file, std::uint32_t offset) const {
  const std::vector<std::size_t> &starts = files_.at(file).line_starts;
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  std::size_t start = *std::prev(next);
  std::string_view before = std::string_view(at(file).text).substr(start, offset - start);
  return {static_cast<std::size_t>(next - starts.begin()),
          static_cast<std::size_t>(std::count_if(before.begin(), before.end(), starts_code_point)) + 1};
}

std::string_view Sources::line_text(std::uint32_t file, std::size_t line) const {
  const std::vector<std::size_t> &starts = files_.at(file).line_starts;
  if (line < 1 || line > starts.size())
    return {};
  std::string_view rest = std::string_view(at(file).text).substr(starts[line - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r'))
    rest.remove_suffix(1);
  return rest;
}

std::string_view Sources::text(Span span) const {
  return std::string_view(at(span.file).text).substr(span.begin, span.end - span.begin);
}

std::string Sources::where(Span span) const {
  LineColumn place = locate(span.file, span.begin);
  return printable_name(at(span.file).name) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

} // namespace atl
