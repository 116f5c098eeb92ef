#include "atl/base/diagnostic.h"

#include "atl/base/printable.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl {

const std::vector<CodeInfo> &all_codes() {
  static const std::vector<CodeInfo> codes{
#define ATL_CODE(number, name, meaning) {number, #name, meaning},
#include "atl/base/codes.def"
#undef ATL_CODE
  };
  return codes;
}

std::string code_name(Code code) {
  return fmt::format("E{}", static_cast<int>(code));
}

// The source line with a caret under the first column and tildes to the end of the span, or of the line. Long
// lines are cut.
static std::string excerpt(Span span, const Sources &sources, const Style &style, Mark mark) {
  constexpr std::size_t widest = 160;
  LineColumn place = sources.locate(span.file, span.begin);
  std::string line(sources.line_text(span.file, place.line));
  if (line.size() > widest)
    return {};
  LineColumn end = sources.locate(span.file, span.end);
  std::size_t width = end.line == place.line ? std::max(end.column, place.column + 1) - place.column
                                             : line.size() + 1 - std::min(line.size(), place.column);
  std::string marks = "^" + std::string(width > 1 ? width - 1 : 0, '~');
  return fmt::format("  {}\n  {}{}\n", printable_column_by_column(line), std::string(place.column - 1, ' '),
                     style(mark, marks));
}

void add_once(std::vector<Diagnostic> &all, Diagnostic one) {
  const bool is_there = std::any_of(all.begin(), all.end(), [&](const Diagnostic &d) {
    return d.code == one.code && d.span->file == one.span->file && d.span->begin == one.span->begin;
  });
  if (!is_there)
    all.push_back(std::move(one));
}

std::string render(const Diagnostic &diagnostic, const Sources &sources, const Style &style) {
  auto place = [&](const std::optional<Span> &span) {
    return span ? style(Mark::strong, sources.where(*span) + ":") + " " : std::string();
  };
  std::string out = fmt::format("{}{}: {}\n", place(diagnostic.span),
                                style(Mark::bad, fmt::format("error[{}]", code_name(diagnostic.code))),
                                style(Mark::strong, readable(diagnostic.message)));
  if (diagnostic.span)
    out += excerpt(*diagnostic.span, sources, style, Mark::bad);
  for (const Note &note : diagnostic.notes) {
    out += fmt::format("{}{}: {}\n", place(note.span), style(Mark::aside, "note"), readable(note.text));
    if (note.span)
      out += excerpt(*note.span, sources, style, Mark::aside);
  }
  for (const Fix &fix : diagnostic.fixes)
    out += "help: " + readable(fix.sentence) + "\n" + show(fix, sources);
  return out;
}

} // namespace atl
