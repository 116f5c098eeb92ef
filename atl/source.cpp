#include "atl/source.h"

#include <algorithm>

namespace atl {

std::uint32_t Sources::add(Source source) {
  files_.push_back(std::move(source));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

static bool starts_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

LineColumn Sources::locate(std::uint32_t file, std::uint32_t offset) const {
  std::string_view before = std::string_view(at(file).text).substr(0, offset);
  std::size_t line_start = before.rfind('\n') + 1; // npos + 1 == 0
  std::string_view line = before.substr(line_start);
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<std::size_t>(std::count_if(line.begin(), line.end(), starts_code_point)) + 1};
}

std::string_view Sources::line_text(std::uint32_t file, std::size_t line) const {
  std::string_view rest = at(file).text;
  for (std::size_t i = 1; i < line; ++i) {
    std::size_t newline = rest.find('\n');
    if (newline == std::string_view::npos)
      return {};
    rest.remove_prefix(newline + 1);
  }
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
  return at(span.file).name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

} // namespace atl
