// The texts of a program: the file given by the user and everything it imports.
// Comes in: text. Goes out: spans of it, and their lines and columns. May use: nothing outside this room.
#pragma once
#include "atl/base/span.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl {

struct Source {
  std::string name;          // as the user wrote it, for messages
  std::string text;          // valid UTF-8; the parser refuses anything else
  std::string identity = {}; // equal for the same file under other names; empty: its name
};

struct LineColumn {
  std::size_t line, column; // both from 1; a column counts Unicode code points
};

std::vector<std::string> lines_of(const std::string &text); // without their newlines

class Sources {
public:
  std::uint32_t add(Source source);
  const Source &at(std::uint32_t file) const { return files_.at(file).source; }
  std::size_t size() const { return files_.size(); }
  LineColumn locate(std::uint32_t file, std::uint32_t offset) const;
  std::string_view line_text(std::uint32_t file, std::size_t line) const; // without its newline
  std::string_view text(Span span) const;
  std::string where(Span span) const; // "file.atl:12:5"

private:
  struct File {
    Source source;
    std::vector<std::size_t> line_starts; // offsets
  };
  std::vector<File> files_;
};

} // namespace atl
