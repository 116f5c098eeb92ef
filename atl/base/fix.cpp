#include "atl/base/fix.h"

#include "atl/base/printable.h"

#include <algorithm>

namespace atl {

Edited edited(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit &a, const Edit &b) { return a.span.begin < b.span.begin; });
  Edited result;
  std::size_t behind = 0; // the last edit
  for (const Edit &edit : edits) {
    result.text += text.substr(behind, edit.span.begin - behind);
    const auto begin = static_cast<std::uint32_t>(result.text.size());
    result.text += edit.text;
    result.written.push_back({edit.span.file, begin, static_cast<std::uint32_t>(result.text.size())});
    behind = edit.span.end;
  }
  result.text += text.substr(behind);
  return result;
}

// One line of the text, and below it a mark for each column that an edit wrote.
static std::string marked_line(const Sources &sources, std::size_t number, const std::vector<Span> &written) {
  const std::string line(sources.line_text(0, number));
  std::string marks;
  for (const Span &span : written) {
    const LineColumn begin = sources.locate(0, span.begin), end = sources.locate(0, span.end);
    if (begin.line > number || end.line < number || span.begin == span.end)
      continue;
    const std::size_t first = begin.line < number ? 1 : begin.column;
    const std::size_t behind = end.line > number ? line.size() + 1 : end.column;
    marks.resize(std::max(marks.size(), behind - 1), ' ');
    std::fill(marks.begin() + static_cast<std::ptrdiff_t>(first) - 1,
              marks.begin() + static_cast<std::ptrdiff_t>(behind) - 1, '~');
  }
  marks.erase(marks.find_last_not_of(' ') + 1);
  std::string shown = "  " + printable_column_by_column(line) + "\n";
  return marks.empty() ? shown : shown + "  " + marks + "\n";
}

std::string show(const Fix &fix, const Sources &sources) {
  constexpr std::size_t most_lines = 8, widest = 160;
  if (fix.edits.empty())
    return {};
  const Source &source = sources.at(fix.edits[0].span.file);
  Edited after = edited(source.text, fix.edits);
  Sources changed;
  changed.add({source.name, std::move(after.text)});
  std::string text;
  std::size_t shown = 0, next = 0; // lines
  for (const Span &span : after.written)
    for (std::size_t line = std::max(next, changed.locate(0, span.begin).line);
         line <= changed.locate(0, span.end).line && shown < most_lines; ++line, ++shown, next = line) {
      if (changed.line_text(0, line).size() > widest)
        return {};
      text += marked_line(changed, line, after.written);
    }
  return text;
}

} // namespace atl
